import type { Network } from './lib/network'
import { backingUp } from './options/backing-up'
import { mail } from './options/mail'
import { observing } from './options/observing'
import type { OptionReader } from './options/option'
import { outgoing } from './options/outgoing'
import { type Provider, providerOptions, readProviders } from './options/providers'
import { remoteSettings } from './options/remote-settings'
import { refuseNoWayIn, signingIn } from './options/signing-in'
import { addressCommands, type TableOption, tableOption } from './options/table-option'
import { baseUrl, host, mayHoldUser, networks } from './values/address'
import { wholeNumber } from './values/number'
import { either, matching, nonBlank, trueOrFalse } from './values/text'
import { mapped } from './values/value'

const turnsOff = mapped(trueOrFalse, (isSwitched) => !isSwitched)

export const settings = {
  config: tableOption<string | undefined>({
    name: 'config',
    type: 'FILE',
    defaultText: 'kiroku.toml in the data directory, if it exists',
    defaultValue: undefined,
    sentence: 'The configuration file, in TOML.',
    commands: [],
    value: nonBlank,
  }),
  data: tableOption({
    name: 'data',
    type: 'DIR',
    defaultText: './data',
    defaultValue: './data',
    sentence: 'The directory for all of kiroku’s data.',
    commands: [],
    value: nonBlank,
  }),
  allowNetworkFilesystem: tableOption({
    name: 'allow-network-filesystem',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence: 'Allows a data directory on NFS, SMB, sshfs or similar, where SQLite can lose or damage data.',
    commands: [],
    value: trueOrFalse,
  }),
  verbose: tableOption({
    name: 'verbose',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence: 'Prints stack traces of failures.',
    commands: [],
    value: trueOrFalse,
  }),
  host: tableOption({
    name: 'host',
    type: 'HOST',
    defaultText: '127.0.0.1',
    defaultValue: '127.0.0.1',
    sentence: 'The address to listen on; 0.0.0.0 for all IPv4 addresses of this machine.',
    commands: addressCommands,
    value: host,
  }),
  port: tableOption({
    name: 'port',
    type: 'PORT',
    defaultText: '3000',
    defaultValue: 3000,
    sentence: 'The port to listen on; 0 for any free port.',
    commands: addressCommands,
    value: wholeNumber(0, 65_535, (t) => t.values.wholeNumber('0', '65535')),
  }),
  baseUrl: tableOption<string | undefined>({
    name: 'base-url',
    type: 'URL',
    defaultText: 'http:// with the host and the port',
    defaultValue: undefined,
    sentence: 'The public URL of this instance; every link starts with it.',
    commands: [...addressCommands, 'app create', 'catalogue corrections', 'catalogue update'],
    isSecret: mayHoldUser,
    value: baseUrl,
  }),
  hsts: tableOption({
    name: 'hsts',
    type: 'off|on|include-subdomains',
    defaultText: 'on',
    defaultValue: 'on',
    sentence: 'Tells browsers to use only https for a year, on this host or also its subdomains.',
    commands: ['serve'],
    value: either(['off', 'on', 'include-subdomains']),
  }),
  ...signingIn,
  noWorker: tableOption({
    name: 'no-worker',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence: 'Keeps no pages on devices for when there is no network, and removes what was kept.',
    commands: ['serve'],
    value: trueOrFalse,
  }),
  publicCatalogue: tableOption({
    name: 'public-catalogue',
    type: 'on|off',
    defaultText: 'on',
    defaultValue: true,
    sentence: 'Whether visitors can see works, episodes and search without signing in.',
    commands: ['serve'],
    value: mapped(either(['on', 'off']), (word) => word === 'on'),
  }),
  catalogueEdits: tableOption({
    name: 'catalogue-edits',
    type: 'propose|everyone|editors',
    defaultText: 'propose',
    defaultValue: 'propose',
    sentence: 'What members who are no editors may do with the catalogue: suggest changes, edit, or nothing.',
    commands: ['serve'],
    value: either(['propose', 'everyone', 'editors']),
  }),
  queryTokens: tableOption({
    name: 'no-query-tokens',
    type: '',
    defaultText: '',
    defaultValue: true,
    sentence: 'Refuses access tokens in the query, where proxies and browser histories may store them.',
    commands: ['serve'],
    value: turnsOff,
  }),
  oauthQueryParameters: tableOption({
    name: 'oauth-query-parameters',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence:
      'Also accepts OAuth client credentials and codes in the query, for old clients that send no body.',
    commands: ['serve'],
    value: trueOrFalse,
  }),
  catalogue: tableOption({
    name: 'no-catalogue',
    type: '',
    defaultText: '',
    defaultValue: true,
    sentence: 'Does not load the default catalogue.',
    commands: ['serve'],
    value: turnsOff,
  }),
  nightlyCheck: tableOption<string | undefined>({
    name: 'nightly-check',
    type: 'off|HH:MM',
    defaultText: '04:00',
    defaultValue: '04:00',
    sentence: 'When to check the whole database for damage, in the server’s local time.',
    commands: ['serve'],
    value: mapped(
      matching('^(?:off|(?:[01][0-9]|2[0-3]):[0-5][0-9])$', (t) => t.values.timeOfDay),
      (text) => (text === 'off' ? undefined : text),
    ),
  }),
  fetchImages: tableOption({
    name: 'fetch-images',
    type: '',
    defaultText: '',
    defaultValue: false,
    sentence: 'Fetches covers, slowly, from the official sites of works that members watch.',
    commands: ['serve'],
    value: trueOrFalse,
  }),
  catalogueContact: tableOption<string | undefined>({
    name: 'catalogue-contact',
    type: 'TEXT',
    defaultText: '',
    defaultValue: undefined,
    sentence: 'A contact for catalogue sources, such as an e-mail address; sent with each request.',
    commands: ['serve', 'catalogue update'],
    // Becomes a comment of the user agent (RFC 9110 §5.6.5).
    value: matching("^(?![ -])[ -'*-\\[\\]-~]{1,200}(?<! )$", (t) => t.values.contact),
  }),
  rateLimit: tableOption<number | null>({
    name: 'rate-limit',
    type: 'off|N',
    defaultText: '1200',
    defaultValue: 1200,
    sentence:
      'How many requests per minute a token may make; off also lifts the limits of addresses and pages.',
    commands: ['serve'],
    value: mapped(
      matching('^(?:off|[1-9][0-9]{0,8})$', (t) => t.values.rateLimit),
      (text) => (text === 'off' ? null : Number(text)),
    ),
  }),
  trustedProxies: tableOption<readonly Network[]>({
    name: 'trusted-proxies',
    type: 'CIDR,…',
    defaultText: 'none',
    defaultValue: [],
    sentence: 'The proxies whose X-Forwarded-For header is trusted.',
    commands: ['serve'],
    value: networks,
  }),
  ...{ ...providerOptions, ...outgoing, ...mail },
  ...remoteSettings,
  ...backingUp,
  ...observing,
}

export const optionTable: readonly TableOption<unknown>[] = Object.values(settings)

export const settingsOf = (command: string): readonly TableOption<unknown>[] =>
  isAboutSettings(command)
    ? optionTable
    : optionTable.filter(({ commands }) => commands.length === 0 || commands.includes(command))

/** Commands that accept the settings of all other commands. */
export const isAboutSettings = (command: string): boolean => /^config (?:show|validate)$/.test(command)

/** `baseUrl` is undefined if it is to be derived from the port (D54). */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> } & {
  readonly providers: readonly Provider[]
}

/** Every absolute link starts with `baseUrl` (D2). */
export type Config = Omit<Settings, 'baseUrl'> & { readonly baseUrl: string }

/** `config` and `verbose` concern the command line itself; what describes a provider is read as `providers`. */
export type SettingName = Exclude<keyof typeof settings, 'config' | 'verbose' | keyof typeof providerOptions>

type ValueOf<O> = O extends TableOption<infer T> ? T : never

/** Throws for an invalid setting. */
export function readSettings(reader: OptionReader): Settings {
  const { config, verbose, ...read } = settings
  const own = Object.entries(read).filter(([name]) => !(name in providerOptions))
  const values = own.map(([name, option]) => [name, reader.get<unknown>(option)])
  const settled = { ...Object.fromEntries(values), providers: readProviders(reader) } as Settings
  refuseNoWayIn(settled)
  return settled
}
