import { type Completed, groupsOf, nextWords, type Values, valuedOptions, valuesOf } from './values'

export function bashCompletion(commands: readonly Completed[]): string {
  const valued = valuedOptions(commands)
  const groups = groupsOf(commands).map((group) => {
    return `    '${group}') echo '${nextWords(commands, group)
      .map(({ word }) => word)
      .join(' ')}' ;;`
  })
  return `# bash completion for kiroku. To try it: source <(kiroku completion bash)
_kiroku_options() {
  case $1 in
${commands.map(({ name, options }) => `    '${name}') echo '${flagsOf(options)}' ;;`).join('\n')}
  esac
}
_kiroku_operands() {
  case $1 in
${groups.join('\n')}
${commands.map(({ name, operands }) => `    '${name}') echo '${wordsOf(operands)}' ;;`).join('\n')}
  esac
}
_kiroku_values() {
  case $1 in
${valued.map(({ name, type }) => `    --${name}) echo '${wordsOf(valuesOf(type))}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
_kiroku() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' words i
  # Bash splits a word at =.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if _kiroku_values "\${COMP_WORDS[i]}" >/dev/null; then
      i=$((i + 1))
      [[ \${COMP_WORDS[i]} == = ]] && i=$((i + 1))
    elif [[ \${COMP_WORDS[i]} != -* && \${COMP_WORDS[i]} != help && -z $(_kiroku_options "$command") ]]; then
      command="\${command:+$command }\${COMP_WORDS[i]}"
    fi
  done
  if words=$(_kiroku_values "$prev"); then :
  elif [[ $cur == -* ]]; then words=$(_kiroku_options "\${command:-serve}")
  else words=$(_kiroku_operands "$command"); fi
  case $words in
    :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    :directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
  esac
}
complete -F _kiroku kiroku
`
}

const flagsOf = (options: Completed['options']): string =>
  [...options.map(({ name }) => `--${name}`), '--help'].join(' ')

/** No word of kiroku's begins with a colon. */
const wordsOf = (values: Values): string => (typeof values === 'string' ? `:${values}` : values.join(' '))
