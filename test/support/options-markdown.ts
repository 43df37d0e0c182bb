import { optionTable } from '../../src/config'
import { variableOf } from '../../src/options/environment'
import { shownFlag } from '../../src/options/option'

export function optionsMarkdown(): string {
  const rows = optionTable.map((option) => {
    const { name, type } = shownFlag(option)
    const flag = type === '' ? `--${name}` : `--${name} ${type}`
    const commands = option.commands.length === 0 ? 'all' : option.commands.join(', ')
    return [code(flag), code(variableOf(option)), option.defaultText, option.sentence, commands]
  })
  return [['Flag', 'Environment', 'Default', 'What it does', 'Commands'], Array(5).fill('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('')
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``
