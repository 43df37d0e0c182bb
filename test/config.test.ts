import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createOptionReader } from '../src/cli/settings/given'
import { optionTable, readSettings, settings } from '../src/config'
import { Failure } from '../src/lib/failure'
import { type Directory, temporaryDirectory } from './support/kiroku'
import { refusedProviderOptions, optionSamples as samples } from './support/option-samples'

interface Sources {
  readonly flags?: Record<string, string>
  readonly env?: Record<string, string>
  readonly toml?: string
}

/** The values of options, read from these sources; the data directory is the given one. */
function given(directory: Directory, { flags = {}, env = {}, toml }: Sources) {
  if (toml !== undefined) writeFileSync(directory.file('kiroku.toml'), toml)
  return createOptionReader(new Map(Object.entries({ data: directory.path, ...flags })), env)
}

function refusal(ask: () => unknown): { code: number; message: string } {
  try {
    ask()
  } catch (cause) {
    if (cause instanceof Failure) return { code: cause.exitCode, message: cause.message }
    throw cause
  }
  throw new Error('it was accepted')
}

test('the first of flag, variable, file of a variable, configuration file and default wins', () => {
  using directory = temporaryDirectory()
  writeFileSync(directory.file('host'), 'from-file-variable\n')
  const ways: [Sources, string][] = [
    [{}, '127.0.0.1'],
    [{ toml: 'host = "from-toml"' }, 'from-toml'],
    [{ env: { KIROKU_HOST_FILE: directory.file('host') } }, 'from-file-variable'],
    [{ env: { KIROKU_HOST: 'from-variable' } }, 'from-variable'],
    [{ env: { KIROKU_HOST: 'from-variable' }, flags: { host: 'from-flag' } }, 'from-flag'],
    [{ env: { KIROKU_HOST: '', KIROKU_HOST_FILE: '' } }, 'from-toml'],
  ]
  for (const [sources, host] of ways) {
    expect([sources, given(directory, sources).get(settings.host)]).toEqual([sources, host])
  }
})

test('every option of the table can be set in all four ways, secrets in three', () => {
  using directory = temporaryDirectory()
  for (const option of optionTable.filter(({ name }) => name !== 'config' && name !== 'data')) {
    const text =
      samples[option.name] ?? expect.unreachable(`test/support/option-samples.ts has no --${option.name}`)
    const variable = `KIROKU_${option.name.replaceAll('-', '_').toUpperCase()}`
    writeFileSync(directory.file('value'), `${text}\n`)
    const expected = option.value.read(text)
    expect(expected).not.toEqual(option.defaultValue)
    const ways: Sources[] = [
      ...(option.isReadFromFile && option.isSecret?.(text) ? [] : [{ flags: { [option.name]: text } }]),
      { env: { [variable]: text } },
      { env: { [`${variable}_FILE`]: directory.file('value') } },
      { toml: `${option.name} = ${/^(?:true|\d+)$/.test(text) ? text : JSON.stringify(text)}` },
    ]
    for (const way of ways) expect([way, given(directory, way).get(option)]).toEqual([way, expected])
    writeFileSync(directory.file('kiroku.toml'), '')
  }
})

test('the documented default is the default', () => {
  for (const option of optionTable.filter(({ type }) =>
    /^(?:HOST|PORT|DIR|off\|N|closed\|invite\|open|off\|on\|.*|on\|off|off\|admin.*)$/.test(type),
  )) {
    expect([option.name, option.value.read(option.defaultText)]).toEqual([option.name, option.defaultValue])
  }
})

test('the settings of a server without any configuration', () => {
  expect(readSettings(createOptionReader(new Map(), {}))).toEqual({
    host: '127.0.0.1',
    port: 3000,
    data: './data',
    baseUrl: undefined,
    hsts: 'on',
    registration: 'invite',
    requireTwoStep: 'off',
    passwordSignIn: true,
    ...{ publicCatalogue: true, catalogueEdits: 'propose' },
    noWorker: false,
    queryTokens: true,
    oauthQueryParameters: false,
    catalogue: true,
    fetchImages: false,
    annictUrl: 'https://api.annict.com',
    catalogueContact: undefined,
    allowNetworkFilesystem: false,
    nightlyCheck: '04:00',
    rateLimit: 1200,
    ...{ trustedProxies: [], outgoingAllow: [], webPush: false, providers: [] },
    ...{ smtpUrl: undefined, mailFrom: undefined },
    ...{ backupTo: undefined, backupEvery: 86_400_000, backupKeep: { h: 24, d: 7, w: 4, m: 12 } },
    logLevel: 'info',
    logFormat: 'auto',
    logLimit: 100_000_000,
    slowQuery: 1000,
    metrics: null,
    ...{ s3Endpoint: undefined, s3Region: 'us-east-1', s3AccessKeyId: undefined },
    ...{ s3SecretAccessKey: undefined, backupPassphrase: undefined },
  })
})

describe('a bad value is refused, as a usage error from a flag and as a configuration error from elsewhere:', () => {
  const bad: Record<string, string[]> = {
    host: ['', ' ', 'a b', 'http://x', 'x/y', '::1%eth0'],
    port: ['', '-1', '65536', '3000.5', '0x10', ' 80', 'http', '１'],
    'base-url': [
      ...[
        '',
        'kiroku.example',
        'ftp://kiroku.example',
        '//kiroku.example',
        'https:kiroku.example',
        'http://',
      ],
      ...[
        'https://a?b',
        'https://a/?',
        'https://a#b',
        'https://me:pw@a',
        'https://me@a',
        'javascript:alert(1)',
      ],
    ],
    hsts: ['', 'On', 'includeSubDomains'],
    registration: ['', 'Open', 'no'],
    'public-catalogue': ['', 'On', 'true', 'members'],
    'catalogue-edits': ['', 'off', 'Propose', 'members'],
    'require-two-step': ['', 'on', 'admins', 'Everyone'],
    'password-sign-in': ['', 'no', 'false', 'Off'],
    'allow-network-filesystem': ['yes', '1'],
    'nightly-check': ['', '24:00', '4:00', '04:60', '04:00:00', 'on'],
    'rate-limit': ['', '0', '-5', '1.5', 'OFF', '1e3'],
    'no-catalogue': ['yes', '1'],
    'fetch-images': ['yes', '1'],
    'annict-url': ['api.annict.com', 'https://token@api.annict.com'],
    'catalogue-contact': ['', ' ', 'a ', '-a', 'a (b)', 'a\\b', 'a\nX: b', '秘密', 'x'.repeat(201)],
    'no-query-tokens': ['off'],
    'outgoing-allow': [
      '',
      'http://ntfy.lan',
      'ntfy.lan:0',
      'ntfy.lan:65536',
      'ntfy.lan/x',
      'a b',
      '::1',
      'mio@ntfy.lan',
      'a,,b',
    ],
    ...refusedProviderOptions,
    'trusted-proxies': [
      '',
      'localhost',
      '10.0.0.0/33',
      '10/8',
      '127.1',
      '0x7f.0.0.1',
      '::1/129',
      '127.0.0.1,',
      'fe80::1%eth0',
    ],
    'smtp-url': [
      '',
      'mail.example',
      'http://mail.example',
      'smtp://',
      'smtp:mail.example',
      'smtp://a/b',
      'smtp://a?b',
      'smtp://me@a',
    ],
    'mail-from': ['', 'kiroku', 'kiroku@', 'kiroku <a@b.example>', 'a@b.example\nBcc: c@d.example'],
    data: ['', '  '],
  }
  for (const option of optionTable) {
    const { name } = option
    const texts = bad[name] ?? []
    const variable = `KIROKU_${name.replaceAll('-', '_').toUpperCase()}`
    test.each(texts)(`--${name} %j`, (text) => {
      const byFlag = refusal(() => createOptionReader(new Map([[name, text]]), {}).get(option))
      expect(byFlag.code).toBe(64)
      expect(byFlag.message).toContain(`--${name} must`)
      if (text === '') return
      const byVariable = refusal(() => createOptionReader(new Map(), { [variable]: text }).get(option))
      expect(byVariable.code).toBe(78)
      expect(byVariable.message).toContain(`${variable} must`)
    })
  }
})

test('a password in a setting is not accepted on the command line, and not repeated in errors', () => {
  using directory = temporaryDirectory()
  const secret = 'smtp://me:hunter2@mail.example'
  const byFlag = refusal(() => given(directory, { flags: { 'smtp-url': secret } }).get(settings.smtpUrl))
  expect([byFlag.code, byFlag.message]).toEqual([64, expect.stringContaining('KIROKU_SMTP_URL_FILE')])
  const wrong = [secret.replace('smtp', 'http'), `${secret}?x`, 'smtp://me:hunter2@ mail.example']
  for (const text of wrong) {
    const { code, message } = refusal(() =>
      given(directory, { env: { KIROKU_SMTP_URL: text } }).get(settings.smtpUrl),
    )
    expect([code, message]).toEqual([78, expect.stringContaining('KIROKU_SMTP_URL must')])
    expect(message + byFlag.message).not.toContain('hunter2')
  }
  expect(given(directory, { env: { KIROKU_SMTP_URL: secret } }).get(settings.smtpUrl)).toBe(secret)
})

test('unknown and duplicate settings are refused', () => {
  using directory = temporaryDirectory()
  writeFileSync(directory.file('host'), 'x')
  const bad: [Sources, string][] = [
    [{ env: { KIROKU_HOST: 'x', KIROKU_HOST_FILE: directory.file('host') } }, 'are both set'],
    [{ env: { KIROKU_HOST_FILE: directory.file('none') } }, 'KIROKU_HOST_FILE: cannot read'],
    [{ toml: 'prot = 1' }, 'unknown key prot'],
    [{ toml: 'base_url = "http://a"' }, 'unknown key base_url'],
    [{ toml: 'data = "elsewhere"' }, 'unknown key data'],
    [{ toml: 'config = "elsewhere"' }, 'unknown key config'],
    [{ toml: 'port = [1]' }, 'port must be text, a number, true or false'],
    [{ toml: 'port = 70000' }, 'port must be a whole number'],
    [{ toml: 'port = ' }, 'cannot read'],
  ]
  for (const [sources, words] of bad) {
    const { code, message } = refusal(
      () => given(directory, sources).get(settings.port) && given(directory, sources).get(settings.host),
    )
    expect([sources, code]).toEqual([sources, 78])
    expect(message).toContain(words)
    expect(message).not.toContain('\n')
    writeFileSync(directory.file('kiroku.toml'), '')
  }
})

test('a named configuration file may set the data directory, and must exist', () => {
  using directory = temporaryDirectory()
  writeFileSync(directory.file('my.toml'), 'data = "/srv/kiroku"')
  for (const [flags, env] of [
    [{ config: directory.file('my.toml') }, {}],
    [{}, { KIROKU_CONFIG: directory.file('my.toml') }],
  ] as const) {
    expect(createOptionReader(new Map(Object.entries(flags)), env).get(settings.data)).toBe('/srv/kiroku')
  }
  expect(refusal(() => createOptionReader(new Map([['config', directory.file('none.toml')]]), {})).code).toBe(
    78,
  )
})
