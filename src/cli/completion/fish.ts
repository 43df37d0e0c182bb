import type { Option } from '../../options/option'
import { type Completed, groupsOf, nextWords, type Values, valuedOptions, valuesOf } from './values'

export function fishCompletion(commands: readonly Completed[]): string {
  const groups = groupsOf(commands).flatMap((group) =>
    nextWords(commands, group).map(
      ({ word, meaning }) => `complete -c kiroku -n ${at(group)} -a ${word} -d ${quoted(meaning)}`,
    ),
  )
  return `# fish completion for kiroku. To try it: kiroku completion fish | source
function __kiroku_command
    set -l command
    set -l is_value 0
    for word in (commandline -opc)[2..]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $word
            case ${valuedOptions(commands)
              .map(({ name }) => `--${name}`)
              .join(' ')}
                set is_value 1
            case '-*' help
            case '*'
                contains -- "$command" ${commands.map(({ name }) => quoted(name)).join(' ')}; or set command (string trim "$command $word")
        end
    end
    echo $command
end
function __kiroku_at
    set -l command (__kiroku_command)
    test "$command" = "$argv"
end
complete -c kiroku -f
${groups.join('\n')}
${commands.flatMap(linesOf).join('\n')}
`
}

/** The options of `serve` may also be used without a command. */
function linesOf({ name, options, operands }: Completed): readonly string[] {
  const places = name === 'serve' ? ['', name] : [name]
  return places.flatMap((place) => [
    ...options.map((option) => `complete -c kiroku -n ${at(place)} ${flagOf(option)}`),
    ...(operands.length === 0 || place === ''
      ? []
      : [`complete -c kiroku -n ${at(place)} ${argumentsOf(operands)}`]),
  ])
}

const flagOf = ({ name, type, sentence }: Option<unknown>): string =>
  [
    `-l ${name}`,
    `-d ${quoted(sentence)}`,
    ...(type === '' ? [] : [`-r ${argumentsOf(valuesOf(type))}`]),
  ].join(' ')

function argumentsOf(values: Values): string {
  if (values === 'files') return '-F'
  if (values === 'directories') return `-f -a '(__fish_complete_directories)'`
  return values.length === 0 ? '-f' : `-f -a ${quoted(values.join(' '))}`
}

const at = (place: string): string => quoted(place === '' ? '__kiroku_at' : `__kiroku_at ${place}`)

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
