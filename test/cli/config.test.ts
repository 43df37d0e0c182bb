import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { optionTable } from '../../src/config'
import { run } from '../support/in-process'
import { type Directory, temporaryDirectory } from '../support/kiroku'

function withFile(directory: Directory, toml: string): void {
  mkdirSync(directory.file('data'))
  writeFileSync(directory.file('data/kiroku.toml'), toml)
}

describe('config show', () => {
  test('lists each setting and its source, without secrets', async () => {
    using directory = temporaryDirectory()
    withFile(directory, 'hsts = "off"\nrate-limit = 30')
    writeFileSync(directory.file('mail'), 'smtp://me:hunter2@mail.example')
    const env = { KIROKU_SMTP_URL_FILE: directory.file('mail'), KIROKU_MAIL_FROM: 'log@kiroku.example' }
    const shown = await run(directory, ['config', 'show', '--json', '--port', '8080'], { env })
    const settings = JSON.parse(shown.stdout) as { name: string; value: unknown; source: string }[]
    expect(settings.map(({ name }) => name)).toEqual(optionTable.map(({ name }) => name))
    const given = settings.filter(({ source }) => source !== 'default')
    expect(given.map(({ name, value, source }) => [name, value, source])).toEqual([
      ['port', '8080', '--port'],
      ['hsts', 'off', 'data/kiroku.toml: hsts'],
      ['rate-limit', '30', 'data/kiroku.toml: rate-limit'],
      ['smtp-url', '***', 'KIROKU_SMTP_URL_FILE'],
      ['mail-from', 'log@kiroku.example', 'KIROKU_MAIL_FROM'],
    ])
    const table = await run(directory, ['config', 'show'], { env })
    expect(table.stdout).toMatch(/^host +127\.0\.0\.1 +default$/m)
    expect(table.stdout).toMatch(/^smtp-url +\*\*\* +KIROKU_SMTP_URL_FILE$/m)
    expect(shown.stdout + table.stdout).not.toContain('hunter2')
    expect([shown.code, table.code, shown.stderr]).toEqual([0, 0, ''])
  })

  test('lists every provider of the file as well, without its secret', async () => {
    using directory = temporaryDirectory()
    const tables = [
      '[[oidc]]\nid = "home"\nissuer = "https://id.example"\nclient-id = "kiroku"\nclient-secret = "hunter2"',
      '[[oidc]]\nid = "work"\nissuer = "https://work.example"\nclient-id = "log"\nsign-up = true\ngroups = ["a", "b"]',
    ]
    withFile(directory, tables.join('\n'))
    const shown = await run(directory, ['config', 'show', '--json'])
    const settings = JSON.parse(shown.stdout) as { name: string; value: unknown; source: string }[]
    expect(settings.filter(({ source }) => source !== 'default')).toMatchObject(
      [
        ['1: id', 'home'],
        ['1: issuer', 'https://id.example'],
        ['1: client-id', 'kiroku'],
        ['1: client-secret', '***'],
        ['2: id', 'work'],
        ['2: issuer', 'https://work.example'],
        ['2: client-id', 'log'],
        ['2: sign-up', 'true'],
        ['2: groups', 'a,b'],
      ].map(([name, value]) => ({ name: `[[oidc]] ${name}`, value, source: 'data/kiroku.toml: oidc' })),
    )
    const table = await run(directory, ['config', 'show'])
    expect(table.stdout).toMatch(/^\[\[oidc\]\] 2: client-secret +a public client +default$/m)
    expect([shown.code, table.code]).toEqual([0, 0])
    writeFileSync(directory.file('data/kiroku.toml'), '[[oidc]]\nid = "home"\nclient-secrt = "hunter2"')
    const wrong = await run(directory, ['config', 'show'])
    expect([wrong.code, wrong.stdout]).toEqual([78, expect.stringMatching(/^\[\[oidc\]\] 1: id +home /m)])
    expect([shown, table, wrong].map(({ stdout }) => stdout).join()).not.toContain('hunter2')
  })

  test('lists what it can if something is wrong, and ends with the same code', async () => {
    using directory = temporaryDirectory()
    const { code, stdout, stderr } = await run(directory, ['config', 'show'], { env: { KIROKU_PORT: 'x' } })
    expect([code, stderr]).toEqual([
      78,
      'kiroku: 1 problem in the settings; kiroku config validate tells which\n',
    ])
    expect(stdout).toMatch(/^port +x +KIROKU_PORT$/m)
  })
})

describe('config validate', () => {
  const validate = async (
    directory: Directory,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) => {
    const ended = await run(directory, ['config', 'validate', '--json', ...args], { env })
    return { code: ended.code, ...(JSON.parse(ended.stdout) as { problems: string[]; warnings: string[] }) }
  }

  test('reports every problem at once, by option, source and rule', async () => {
    using directory = temporaryDirectory()
    withFile(directory, 'prot = 1\nbase_url = "x"\nport = [1]\nmetrics = "9464"')
    const env = { KIROKU_REGISTRATION: 'opn', KIROKU_HOST_FILE: '/nowhere', KIROKU_PROT: '1' }
    const { code, problems, warnings } = await validate(directory, ['--rate-limit', 'abc'], env)
    expect([code, problems]).toEqual([
      78,
      [
        expect.stringContaining('KIROKU_HOST_FILE: cannot read /nowhere'),
        'KIROKU_REGISTRATION must be closed, invite, approve or open, not "opn"',
        '--rate-limit must be off or a whole number above 0, not "abc"',
        'data/kiroku.toml: metrics must be off or an address with a port, such as 127.0.0.1:9464 or [::1]:9464, not "9464"',
        'data/kiroku.toml: unknown key prot (did you mean port?)',
        'data/kiroku.toml: unknown key base_url (did you mean base-url?)',
        'data/kiroku.toml: port must be text, a number, true or false',
      ],
    ])
    expect(warnings).toEqual(['unknown variable KIROKU_PROT (did you mean KIROKU_PORT?)'])
  })

  test('exits with 64 if only the command line is wrong, and with 0 if nothing is', async () => {
    using directory = temporaryDirectory()
    expect((await validate(directory, ['--port', '99999'])).code).toBe(64)
    expect(await validate(directory)).toEqual({ code: 0, problems: [], warnings: [] })
    const known = { KIROKU_CATALOGUE_SOURCE_URL_MADE_UP: 'http://127.0.0.1:1/' }
    expect(await validate(directory, [], known)).toEqual({ code: 0, problems: [], warnings: [] })
    expect((await run(directory, ['config', 'validate'])).stdout).toBe('the settings are valid\n')
    expect((await run(directory, ['config', 'validate', '--prot', '1'])).stderr).toContain(
      '(did you mean --port?)',
    )
  })

  test('finds problems that otherwise only a start would', async () => {
    using directory = temporaryDirectory()
    writeFileSync(directory.file('a-file'), '')
    Bun.spawnSync(['mkfifo', directory.file('pipe')])
    const bad: [string[], string][] = [
      [['--data', 'a-file'], 'a-file is not a directory'],
      [['--data', 'a-file/below'], 'not a directory'],
      [['--config', 'none.toml'], 'cannot read none.toml'],
      [['--config', 'pipe'], 'cannot read pipe: it is a pipe, which may never end'],
      [['--oidc-issuer', 'https://id.example'], 'oidc-client-id is missing'],
      [['--metrics', '127.0.0.1:3000'], 'metrics and port are both 127.0.0.1:3000'],
    ]
    for (const [args, words] of bad) {
      const { code, problems } = await validate(directory, args)
      expect([args, code, problems]).toEqual([args, 78, [expect.stringContaining(words)]])
    }
  })

  test('warns about settings that are probably unintended', async () => {
    using directory = temporaryDirectory()
    const https = ['--base-url', 'https://kiroku.example']
    const odd: [string[], string][] = [
      [['--base-url', 'http://kiroku.example'], 'base-url has no https'],
      [https, 'trusted-proxies is empty'],
      [['--hsts', 'include-subdomains'], 'hsts is include-subdomains'],
      [['--smtp-url', 'smtp://mail.example'], 'mail servers refuse kiroku@127.0.0.1'],
      [['--mail-from', 'a@kiroku.example'], 'mail-from says nothing'],
      [['--metrics', '0.0.0.0:9464'], 'there is no password'],
      [
        ['--oidc-issuer', 'https://id.example', '--oidc-client-id', 'kiroku', '--oidc-sign-up', 'on'],
        'oidc-sign-up without oidc-groups: whoever has an account at https://id.example gets one here',
      ],
    ]
    for (const [args, words] of odd)
      expect([args, await validate(directory, args)]).toEqual([
        args,
        { code: 0, problems: [], warnings: [expect.stringContaining(words)] },
      ])
    const whole = ['--smtp-url', 'smtp://mail.example', '--trusted-proxies', '127.0.0.1']
    expect((await validate(directory, [...https, ...whole])).warnings).toEqual([])
  })
})
