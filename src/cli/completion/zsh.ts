import type { Option } from '../../options/option'
import { type Completed, groupsOf, nextWords, type Values, valuedOptions, valuesOf } from './values'

export function zshCompletion(commands: readonly Completed[]): string {
  const groups = groupsOf(commands).map((group) => {
    const words = nextWords(commands, group).map(({ word, meaning }) => quoted(`${word}:${meaning}`))
    return `    ${quoted(group)}) next=(${words.join(' ')}) ;;`
  })
  const specs = commands.map(({ name, options, operands }) => {
    // A message about an operand would prevent options from being completed.
    const rest = `*:operand:${operands.length === 0 ? '{:}' : actionOf(operands)}`
    const all = [...options.map(specOf), quoted('--help[Tells about the command.]'), quoted(rest)]
    return `    ${quoted(name)}) specs=(${all.join(' ')}) ;;`
  })
  return `#compdef kiroku
# zsh completion for kiroku. To try it: source <(kiroku completion zsh)
_kiroku_specs() {
  case $1 in
${specs.join('\n')}
    *) specs=(); return 1 ;;
  esac
}
_kiroku() {
  local command='' i last=1
  local -a next specs
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${valuedOptions(commands)
        .map(({ name }) => `--${name}`)
        .join('|')}) ((i++)) ;;
      -*|help) ;;
      *)
        _kiroku_specs "$command" && break
        command="\${command:+$command }$words[i]"
        last=$i ;;
    esac
  done
  case $command in
${groups.join('\n')}
  esac
  if (($#next)) && [[ $words[CURRENT] != -* ]]; then
    _describe 'command' next
    return
  fi
  _kiroku_specs "\${command:-serve}" || return
  words=(kiroku "\${(@)words[last + 1, -1]}")
  ((CURRENT -= last - 1))
  _arguments $specs
}
if [[ $funcstack[1] == _kiroku ]]; then _kiroku "$@"; else compdef _kiroku kiroku; fi
`
}

function specOf({ name, type, sentence, repeatable }: Option<unknown>): string {
  const meaning = `[${sentence.replaceAll(/[[\]:]/g, '\\$&')}]`
  const value = type === '' ? '' : `:${type.replaceAll(':', '')}:${actionOf(valuesOf(type))}`
  return quoted(`${repeatable ? '*' : ''}--${name}${meaning}${value}`)
}

function actionOf(values: Values): string {
  if (values === 'files') return '_files'
  if (values === 'directories') return '_files -/'
  return values.length === 0 ? ' ' : `(${values.join(' ')})`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
