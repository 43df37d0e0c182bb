import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { allCommands } from '../../src/cli/commands'
import { findCommand } from '../../src/cli/find-command'
import { helpOn } from '../../src/cli/help'
import { parseArguments } from '../../src/cli/parse'
import { settingsOf } from '../../src/config'
import { shownFlag } from '../../src/options/option'
import { run } from '../support/in-process'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { preparedDirectory } from '../support/prepared-directory'

const commands = await allCommands()

describe('D66: variables that belong to no option cause one warning, and no error:', () => {
  const env = {
    KIROKU_PROT: '1',
    KIROKU_PORT_3000_TCP_ADDR: '10.0.0.1',
    KIROKU_CONFIG_FILE: '/nowhere',
    KIROKU_DATA_: 'x',
  }
  const warning =
    'kiroku: unknown environment variables, ignored: KIROKU_PROT (did you mean KIROKU_PORT?), KIROKU_PORT_3000_TCP_ADDR, KIROKU_CONFIG_FILE, KIROKU_DATA_ (did you mean KIROKU_DATA?)\n'

  test('of a command', async () => {
    using directory = await preparedDirectory()
    expect(await run(directory, ['migrate', 'up'], { env })).toMatchObject({ code: 0, stderr: warning })
    expect((await run(directory, ['migrate', 'up'])).stderr).toBe('')
  })

  test('of a server', async () => {
    using directory = await preparedDirectory()
    await using server = await startServer(directory, [], { env })
    expect((await server.end('SIGTERM')).stderr).toStartWith(warning)
  })

  test('a known one with a wrong value is still an error, and so are unknown flags and keys', async () => {
    using directory = temporaryDirectory()
    const asService = { KIROKU_PORT: 'tcp://10.0.0.1:3000' }
    expect((await run(directory, ['serve'], { env: asService })).code).toBe(78)
    expect((await run(directory, ['serve', '--prot', '1'])).code).toBe(64)
    mkdirSync(directory.file('data'))
    writeFileSync(directory.file('data/kiroku.toml'), 'prot = 1')
    expect((await run(directory, ['serve'])).code).toBe(78)
  })
})

describe('a user name or password in the base URL is refused and not repeated:', () => {
  const urls = [
    'https://mio:hunter2@kiroku.example',
    'https://hunter2@kiroku.example',
    'mio:hunter2@kiroku.example',
    '//mio:hunter2@kiroku.example',
    'https://mio:hunter2@kiroku example',
    'https:\\\\mio:hunter2@kiroku.example?x',
  ]
  test.each(urls)('%s', async (url) => {
    using directory = temporaryDirectory()
    mkdirSync(directory.file('data'))
    const file = directory.file('url')
    writeFileSync(file, url)
    const ways: [number, string[], Record<string, string>][] = [
      [64, ['--base-url', url], {}],
      [78, [], { KIROKU_BASE_URL: url }],
      [78, [], { KIROKU_BASE_URL_FILE: file }],
    ]
    for (const [expected, flags, env] of ways) {
      const { code, stderr } = await run(directory, ['setup-url', '--verbose', ...flags], { env })
      expect([flags, env, code, stderr]).toEqual([flags, env, expected, expect.stringContaining(' must ')])
      expect(stderr).not.toContain('hunter2')
    }
    writeFileSync(directory.file('data/kiroku.toml'), `base-url = ${JSON.stringify(url)}`)
    const { code, stderr } = await run(directory, ['setup-url'])
    expect([code, stderr]).toEqual([78, expect.stringContaining('base-url must ')])
    expect(stderr).not.toContain('hunter2')
  })
})

describe('help names only what the command accepts:', () => {
  test.each(commands.map(({ name }) => name))('kiroku help %s', (name) => {
    const command = commands.find((candidate) => candidate.name === name) ?? expect.unreachable()
    const taken = new Set(
      [...command.options, ...settingsOf(name)].map((option) => `--${shownFlag(option).name}`),
    )
    const named = helpOn(command).match(/--[a-z][a-z0-9-]*/g) ?? []
    // `kiroku help` itself covers all of them.
    expect(named.filter((option) => !taken.has(option))).toEqual([])
  })

  test.each(commands.flatMap(({ examples }) => examples))('the example can be typed: %s', (example) => {
    const [, typed = ''] = /(?:^| )kiroku ?(.*?)(?: [|<>] .*)?$/.exec(example) ?? []
    const words = typed.match(/(?:[^ "]|"[^"]*")+/g) ?? []
    const { command, rest } = findCommand(
      commands,
      words.map((word) => word.replaceAll('"', '')),
    )
    expect(() => parseArguments(command, rest)).not.toThrow()
    expect(example).toContain(command.name === 'serve' ? 'kiroku' : `kiroku ${command.name}`)
  })
})
