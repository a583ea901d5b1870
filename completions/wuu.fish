# Completion of wuu: asks wuu itself. Made by scripts/generate.py; do not edit.
function __wuu_complete
    set -lx COMP_WORDS (commandline -cp)
    set -lx COMP_CWORD (commandline -t)
    for line in (env _WUU_COMPLETE=fish_complete wuu 2>/dev/null)
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

complete --no-files --command wuu --arguments "(__wuu_complete)"
