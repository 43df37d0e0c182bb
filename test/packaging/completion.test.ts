import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { allCommands } from '../../src/cli/commands'
import { completedOf, nextWords, valuedOptions, valuesOf } from '../../src/cli/completion/values'
import { output, run, temporaryDirectory } from '../support/kiroku'
import { has } from './proxy'
import { completes, prepareShells } from './shells'

const commands = await allCommands()

const directory = temporaryDirectory()
beforeAll(() => prepareShells(directory))
afterAll(() => directory[Symbol.dispose]())

/** Each line has exactly one completion. */
const typed: readonly (readonly [string, string])[] = [
  ['kiroku heal', 'healthcheck'],
  ['kiroku user cre', 'create'],
  ['kiroku --data some-directory user two', 'two-step-off'],
  ['kiroku user create mio --password', '--password-stdin'],
  ['kiroku --hst', '--hsts'],
  ['kiroku serve --hsts inc', 'include-subdomains'],
  ['kiroku serve --registration open --require-two-step adm', 'administrators'],
  ['kiroku user list --data some-', 'some-directory'],
  ['kiroku catalogue import some-f', 'some-file'],
  ['kiroku serve --config some-f', 'some-file'],
  ['kiroku completion fi', 'fish'],
  ['kiroku help token rev', 'revoke'],
]

describe.each(completes)('%s', (shell, complete) => {
  test.if(has(shell))('completes commands, options, their values and paths', async () => {
    const completed = await complete(
      directory,
      typed.map(([line]) => line),
    )
    expect(completed.map((words, index) => [typed[index]?.[0], words])).toEqual(
      typed.map(([line, word]) => [line, [word]]),
    )
  })
})

test.each(completes.filter(([shell]) => shell !== 'zsh'))(
  '%s lists all commands, and nothing where only the person knows',
  async (shell, complete) => {
    if (!has(shell)) return
    const lines = ['kiroku ', 'kiroku token create ', 'kiroku token create mio --description ']
    const [first = [], ...others] = await complete(directory, lines)
    const words = nextWords(commands.map(completedOf), '').map(({ word }) => word)
    expect(first.toSorted()).toEqual(words.toSorted())
    expect(others).toEqual([[''], ['']])
  },
)

test('an unknown shell is 64', async () => {
  const { code, stderr } = await run(directory, ['completion', 'tcsh'])
  expect([code, stderr]).toEqual([64, 'kiroku: the shell must be one of bash, zsh, fish, not "tcsh"\n'])
})

test('an option means the same for every command, so that a shell needs to know it only once', () => {
  const completed = commands.map(completedOf)
  for (const { name, type } of valuedOptions(completed)) {
    const same = completed.flatMap(({ options }) => options.filter((option) => option.name === name))
    const kinds = new Set(same.map((option) => JSON.stringify(valuesOf(option.type))))
    expect([name, type, kinds.size]).toEqual([name, type, 1])
    expect([name, same.filter((option) => option.type === '')]).toEqual([name, []])
  }
})

test('words in lower case are literal, FILE and DIR are paths', () => {
  expect(valuesOf('off|on|include-subdomains')).toEqual(['off', 'on', 'include-subdomains'])
  expect(valuesOf('off|N')).toEqual(['off'])
  expect(valuesOf('FILE|-|URL')).toBe('files')
  expect(valuesOf('DIR')).toBe('directories')
  expect(valuesOf('USERNAME')).toEqual([])
})

describe('the manual', () => {
  test('has every command, option, variable and exit code', async () => {
    const page = (await output(directory, ['man'])).replaceAll('\\-', '-')
    for (const { name, summary, options } of commands) {
      expect(page).toContain(`\n.SS ${name}\n`)
      expect(page.replaceAll('\n', ' ')).toContain(summary)
      for (const option of options) expect(page).toContain(`--${option.name}`)
    }
    for (const word of ['KIROKU_BASE_URL', 'KIROKU_SMTP_URL', '\\fB78\\fR']) expect(page).toContain(word)
  })

  test.if(has('mandoc'))("passes mandoc's checks", async () => {
    await Bun.write(directory.file('kiroku.1'), await output(directory, ['man']))
    const { stdout } = Bun.spawnSync(['mandoc', '-T', 'lint', directory.file('kiroku.1')])
    // The date is the commit's, which only the compiled file knows.
    const findings = stdout.toString().replace(/.*WARNING: missing date.*\n/, '')
    expect(findings).toBe('')
  })
})
