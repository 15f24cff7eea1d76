/** The completion scripts of the shells, which ask `tongs __complete` at the Tab key. */
import type * as Completions from "effect/cli/Completions"

const BASH = `# Completion of tongs for bash. Save it where bash-completion finds it:
#   tongs --completions bash > ~/.local/share/bash-completion/completions/tongs
_tongs() {
  local line=\${COMP_LINE:0:COMP_POINT} word=\${COMP_WORDS[COMP_CWORD]} directive=4 out cur skip
  cur=\${line##* }
  # Readline replaces only what follows a colon or an equals sign.
  [[ $word == [:=] ]] && word=
  skip=\${cur%"$word"}
  COMPREPLY=()
  while IFS= read -r out; do
    if [[ $out == :[0-9]* ]]; then
      directive=\${out#:}
    else
      out=\${out%%$'\\t'*}
      COMPREPLY+=("\${out#"$skip"}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "$line" 2>/dev/null)
  ((directive & 2)) && type compopt &>/dev/null && compopt -o nospace 2>/dev/null
  if ((directive & 16)); then
    while IFS= read -r out; do COMPREPLY+=("$out"); done < <(compgen -d -- "$word")
    compopt -o filenames 2>/dev/null
  elif ((directive == 0)); then
    while IFS= read -r out; do COMPREPLY+=("$out"); done < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _tongs tongs
`

const ZSH = `#compdef tongs
# Completion of tongs for zsh. Save it as _tongs in a folder of fpath:
#   tongs --completions zsh > "\${fpath[1]}/_tongs"
_tongs() {
  local -a lines values options
  local line directive
  lines=("\${(@f)$("\${words[1]}" __complete "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
  directive=\${lines[-1]#:}
  [[ $directive == <-> ]] || return 1
  lines[-1]=()
  for line in $lines; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( directive & 2 )) && options=(-S '')
  if (( $#values )); then
    _describe -V tongs values $options
  elif (( directive & 16 )); then
    _files -/
  elif (( directive == 0 )); then
    _files
  fi
}
if [[ \${funcstack[1]} == _tongs ]]; then _tongs "$@"; else compdef _tongs tongs; fi
`

const FISH = `# Completion of tongs for fish. Save it:
#   tongs --completions fish > ~/.config/fish/completions/tongs.fish
function __tongs_complete
  set -l lines (command tongs __complete (commandline -cp | string collect) 2>/dev/null)
  set -q lines[1]; or return
  set -l directive $lines[-1]
  set -e lines[-1]
  set -q lines[1]; and printf '%s\\n' $lines
  switch $directive
    case ':0'
      __fish_complete_path (commandline -ct)
    case ':16'
      __fish_complete_directories (commandline -ct) ''
  end
end
complete -c tongs -f -a '(__tongs_complete)'
`

const POWERSHELL = `# Completion of tongs for PowerShell. Add it to $PROFILE:
#   tongs --completions powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName tongs -ScriptBlock {
  param($word, $ast, $cursor)
  $line = $ast.ToString().PadRight($cursor).Substring(0, $cursor)
  tongs __complete $line 2>$null | Where-Object { $_ -notmatch '^:\\d+$' } | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
  }
}
`

export const of = (shell: Completions.Shell): string =>
  ({ bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL })[shell]
