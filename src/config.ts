import type { Network } from './lib/network'
import type { Given } from './options/option'
import { mailing, reaching, type TableOption, tableOption } from './options/table-option'
import {
  baseUrl,
  emailAddress,
  holdsPassword,
  host,
  mayHoldUser,
  networks,
  nonBlank,
  oneOf,
  onOrOff,
  port,
  rateLimit,
  smtpUrl,
} from './options/values'

/** The settings of a running kiroku, all known and valid. */
export interface Config {
  readonly host: string
  /** 0 asks for a free port. */
  readonly port: number
  /** The data directory. */
  readonly data: string
  /** Where people and clients reach this instance, without a slash at the end; every absolute link starts with it (D2). */
  readonly baseUrl: string
  readonly registration: 'closed' | 'invite' | 'open'
  /** What browsers are told of https where the base URL has it (RFC 6797). */
  readonly hsts: 'off' | 'on' | 'include-subdomains'
  /** Who has to use two-step verification to use the pages. */
  readonly requireTwoStep: 'off' | 'administrators' | 'everyone'
  /** Whether an access token may stand in the query. */
  readonly queryTokens: boolean
  /** Whether OAuth's clients may send what belongs into a body in the query alone (D65). */
  readonly oauthQueryParameters: boolean
  /** Whether the default catalogue is loaded. */
  readonly catalogue: boolean
  /** Requests a minute per token; null when not limited (D53). */
  readonly rateLimit: number | null
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Network[]
  /** Where mail is handed over; undefined when none is sent. */
  readonly smtpUrl: string | undefined
  /** Whom mail is from; undefined for an address at the base URL's host. */
  readonly mailFrom: string | undefined
}

/** The configuration before the server has a port; `baseUrl` is undefined when it is to follow from that (D54). */
export interface Settings extends Omit<Config, 'baseUrl'> {
  readonly baseUrl: string | undefined
}

/** The settings by name; each exists here and nowhere else. */
export const settings = {
  config: tableOption<string | undefined>({
    name: 'config',
    type: 'FILE',
    default: 'kiroku.toml in the data directory, if it is there',
    otherwise: undefined,
    sentence: 'The configuration file, in TOML.',
    commands: [],
    parse: nonBlank,
  }),
  data: tableOption({
    name: 'data',
    type: 'DIR',
    default: './data',
    otherwise: './data',
    sentence: 'The directory that holds everything kiroku keeps.',
    commands: [],
    parse: nonBlank,
  }),
  verbose: tableOption({
    name: 'verbose',
    type: '',
    default: '',
    otherwise: false,
    sentence: 'Shows where in the program a failure came from.',
    commands: [],
    parse: onOrOff,
  }),
  host: tableOption({
    name: 'host',
    type: 'HOST',
    default: '127.0.0.1',
    otherwise: '127.0.0.1',
    sentence: 'The address to listen on; 0.0.0.0 for every one of this machine.',
    commands: reaching,
    parse: host,
  }),
  port: tableOption({
    name: 'port',
    type: 'PORT',
    default: '3000',
    otherwise: 3000,
    sentence: 'The port to listen on; 0 takes a free one.',
    commands: reaching,
    parse: port,
  }),
  baseUrl: tableOption<string | undefined>({
    name: 'base-url',
    type: 'URL',
    default: 'http:// with the host and the port',
    otherwise: undefined,
    sentence: 'Where people and clients reach this instance; every link starts with it.',
    commands: [...reaching, 'app create'],
    isSecret: mayHoldUser,
    parse: baseUrl,
  }),
  hsts: tableOption<Config['hsts']>({
    name: 'hsts',
    type: 'off|on|include-subdomains',
    default: 'on',
    otherwise: 'on',
    sentence: 'Tells browsers to stay with https for a year, on this host or those below it too.',
    commands: ['serve'],
    parse: oneOf(['off', 'on', 'include-subdomains']),
  }),
  registration: tableOption<Config['registration']>({
    name: 'registration',
    type: 'closed|invite|open',
    default: 'invite',
    otherwise: 'invite',
    sentence: 'Who may make an account on the web: nobody, people with an invitation, or everybody.',
    commands: ['serve'],
    parse: oneOf(['closed', 'invite', 'open']),
  }),
  requireTwoStep: tableOption<Config['requireTwoStep']>({
    name: 'require-two-step',
    type: 'off|administrators|everyone',
    default: 'off',
    otherwise: 'off',
    sentence: 'Who has to use two-step verification to use the pages.',
    commands: ['serve'],
    parse: oneOf(['off', 'administrators', 'everyone']),
  }),
  noQueryTokens: tableOption({
    name: 'no-query-tokens',
    type: '',
    default: '',
    otherwise: false,
    sentence: 'Refuses access tokens in the query, where proxies and histories may keep them.',
    commands: ['serve'],
    parse: onOrOff,
  }),
  oauthQueryParameters: tableOption({
    name: 'oauth-query-parameters',
    type: '',
    default: '',
    otherwise: false,
    sentence:
      'Takes the credentials and codes of OAuth clients from the query, too, for old ones that send no body.',
    commands: ['serve'],
    parse: onOrOff,
  }),
  noCatalogue: tableOption({
    name: 'no-catalogue',
    type: '',
    default: '',
    otherwise: false,
    sentence: 'Leaves the default catalogue out.',
    commands: ['serve'],
    parse: onOrOff,
  }),
  rateLimit: tableOption<number | null>({
    name: 'rate-limit',
    type: 'off|N',
    default: '1200',
    otherwise: 1200,
    sentence:
      'How many requests a minute one token may make. With off, addresses and pages have no limit either.',
    commands: ['serve'],
    parse: rateLimit,
  }),
  trustedProxies: tableOption<readonly Network[]>({
    name: 'trusted-proxies',
    type: 'CIDR,…',
    default: 'none',
    otherwise: [],
    sentence: 'The proxies that are believed when they tell, in X-Forwarded-For, where a request comes from.',
    commands: ['serve'],
    parse: networks,
  }),
  smtpUrl: tableOption<string | undefined>({
    name: 'smtp-url',
    type: 'URL',
    default: 'no mail is sent',
    otherwise: undefined,
    sentence:
      'The server that takes mail, smtp:// or smtps://; one with a password only by variable or file.',
    commands: mailing,
    isSecret: holdsPassword,
    isReadFromFile: true,
    parse: smtpUrl,
  }),
  mailFrom: tableOption<string | undefined>({
    name: 'mail-from',
    type: 'ADDRESS',
    default: 'kiroku at the host of the base URL',
    otherwise: undefined,
    sentence: 'The address that mail is sent from.',
    commands: mailing,
    parse: emailAddress,
  }),
}

/** Every setting, in the order of the documentation. */
export const optionTable: readonly TableOption<unknown>[] = Object.values(settings)

/** The settings of a command. */
export const settingsOf = (command: string): readonly TableOption<unknown>[] =>
  optionTable.filter(({ commands }) => commands.length === 0 || commands.includes(command))

/** All settings of a server. Throws where one of them is not valid. */
export function readSettings({ get }: Given): Settings {
  return {
    host: get(settings.host),
    port: get(settings.port),
    data: get(settings.data),
    baseUrl: get(settings.baseUrl),
    hsts: get(settings.hsts),
    registration: get(settings.registration),
    requireTwoStep: get(settings.requireTwoStep),
    queryTokens: !get(settings.noQueryTokens),
    oauthQueryParameters: get(settings.oauthQueryParameters),
    catalogue: !get(settings.noCatalogue),
    rateLimit: get(settings.rateLimit),
    trustedProxies: get(settings.trustedProxies),
    smtpUrl: get(settings.smtpUrl),
    mailFrom: get(settings.mailFrom),
  }
}
