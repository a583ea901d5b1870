# Completion of wuu: asks wuu itself. Made by scripts/generate.py; do not edit.
_wuu() {
    local kind value IFS=$' \t\n'
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            plain) COMPREPLY+=("$(printf '%q' "$value")") ;;
        esac
    done < <(
        env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" _WUU_COMPLETE=bash_complete "$1" 2>/dev/null
    )
}

# The bash of macOS knows neither `compopt` nor `nosort`.
complete -o nosort -F _wuu wuu 2>/dev/null || complete -F _wuu wuu
