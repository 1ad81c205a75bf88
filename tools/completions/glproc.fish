# Completion of glproc for fish. The program itself says what may follow: `glproc --complete WORD...`.
function __glproc_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l lines ($program --complete $words[2..-1] "$typed" 2>/dev/null)
    if test "$lines" = :files
        __fish_complete_path $typed
    else
        printf '%s\n' $lines
    end
end
complete -c glproc -f -a '(__glproc_complete)'
