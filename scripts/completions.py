"""The completion scripts: each asks wuu itself, in the protocol that Click speaks with that shell.

They are ours rather than Click's, so that an upgrade of Click does not change them, and so that the bash of
macOS (3.2) can read its own.
"""

_NOTICE = "# Completion of {name}: asks {name} itself. Made by scripts/generate.py; do not edit."

_BASH = r"""@NOTICE@
_@NAME@() {
    local kind value IFS=$' \t\n'
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            plain) COMPREPLY+=("$(printf '%q' "$value")") ;;
        esac
    done < <(
        env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" @VARIABLE@=bash_complete "$1" 2>/dev/null
    )
}

# The bash of macOS knows neither `compopt` nor `nosort`.
complete -o nosort -F _@NAME@ @NAME@ 2>/dev/null || complete -F _@NAME@ @NAME@
"""

_ZSH = r"""#compdef @NAME@
@NOTICE@
_@NAME@() {
    local -a plain described
    local answer kind value help
    (( $+commands[@NAME@] )) || return 1
    answer=$(
        env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT - 1)) @VARIABLE@=zsh_complete @NAME@ 2>/dev/null
    )
    for kind value help in "${(@f)answer}"; do
        case $kind in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain) if [[ $help == _ ]]; then plain+=("$value"); else described+=("$value:$help"); fi ;;
        esac
    done
    (( $#described )) && _describe -V @NAME@ described -U
    (( $#plain )) && compadd -U -V @NAME@ -a plain
    return 0
}

# Loaded by compinit as a function, or sourced by a person.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _@NAME@ "$@"
else
    compdef _@NAME@ @NAME@
fi
"""

_FISH = r"""@NOTICE@
function __@NAME@_complete
    set -lx COMP_WORDS (commandline -cp)
    set -lx COMP_CWORD (commandline -t)
    for line in (env @VARIABLE@=fish_complete @NAME@ 2>/dev/null)
        set -l parts (string split --max 1 "," -- $line)
        switch $parts[1]
            case dir
                __fish_complete_directories $parts[2]
            case file
                __fish_complete_path $parts[2]
            case plain
                echo $parts[2]
        end
    end
end

complete --no-files --command @NAME@ --arguments "(__@NAME@_complete)"
"""


def render_completions(name: str) -> dict[str, str]:
    """Return the completion scripts of the program `name`, by file name."""
    return {
        f"{name}.bash": _fill(_BASH, name),
        f"_{name}": _fill(_ZSH, name),
        f"{name}.fish": _fill(_FISH, name),
    }


def _fill(template: str, name: str) -> str:
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    text = template.replace("@NOTICE@", _NOTICE.replace("{name}", name))
    return text.replace("@NAME@", name).replace("@VARIABLE@", variable)
