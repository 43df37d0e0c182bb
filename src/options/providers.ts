import Type from 'typebox'
import { Failure } from '../lib/failure'
import { didYouMean } from '../lib/nearest'
import { inEnglish } from '../messages/languages'
import { groupNames, groupsClaim, issuerUrl, providerId, scopeList } from '../values/provider'
import { lineUpTo, nonBlank, onOrOff } from '../values/text'
import { checked, InvalidValue, readIfValid } from '../values/value'
import type { Option, OptionReader } from './option'
import { tableOption } from './table-option'

/** An identity provider that people may sign in with, by OpenID Connect (D102). */
export interface Provider {
  /** Part of its redirect URI, and how commands name it. */
  readonly id: string
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** On the button. */
  readonly name: string
  /** Undefined: the usual ones. */
  readonly scopes: readonly string[] | undefined
  /** Whether it may make accounts. */
  readonly signUp: boolean
  readonly linkByEmail: boolean
  /** Only their members get in; empty for everybody. */
  readonly groups: readonly string[]
  /** Their members are administrators; empty leaves rights alone. */
  readonly adminGroups: readonly string[]
  /** A claim's name, or a JSON Pointer (RFC 6901) into the claims. */
  readonly groupsClaim: string
}

const commands = ['serve', 'user link', 'user unlink']

export const providerOptions = {
  oidcIssuer: tableOption<string | undefined>({
    name: 'oidc-issuer',
    type: 'URL',
    defaultText: 'no provider',
    defaultValue: undefined,
    sentence:
      'The issuer of an OpenID Connect provider to sign in with, exactly as the provider names it; several are `[[oidc]]` in the file.',
    commands,
    value: issuerUrl,
  }),
  oidcClientId: tableOption<string | undefined>({
    name: 'oidc-client-id',
    type: 'ID',
    defaultText: '',
    defaultValue: undefined,
    sentence: 'The client ID that the provider knows this instance by.',
    commands,
    value: nonBlank,
  }),
  oidcClientSecret: tableOption<string | undefined>({
    name: 'oidc-client-secret',
    type: 'SECRET',
    defaultText: 'a public client',
    defaultValue: undefined,
    sentence: 'The client secret for the provider.',
    commands,
    isSecret: () => true,
    isReadFromFile: true,
    value: nonBlank,
  }),
  oidcName: tableOption<string | undefined>({
    name: 'oidc-name',
    type: 'TEXT',
    defaultText: 'the issuer’s host',
    defaultValue: undefined,
    sentence: 'What the provider is called on the button.',
    commands,
    value: lineUpTo(40),
  }),
  oidcScopes: tableOption<readonly string[] | undefined>({
    name: 'oidc-scopes',
    type: 'TEXT',
    defaultText: 'openid profile email, and groups if used and offered',
    defaultValue: undefined,
    sentence: 'What to ask the provider for, separated by spaces.',
    commands,
    value: scopeList,
  }),
  oidcSignUp: tableOption({
    name: 'oidc-sign-up',
    type: 'on|off',
    defaultText: 'off',
    defaultValue: false,
    sentence: 'Whether the provider may make accounts, whoever may register.',
    commands,
    value: onOrOff,
  }),
  oidcLinkByEmail: tableOption({
    name: 'oidc-link-by-email',
    type: 'on|off',
    defaultText: 'off',
    defaultValue: false,
    sentence:
      'Connects an account whose address both sides have confirmed, at its first sign-in with the provider.',
    commands,
    value: onOrOff,
  }),
  oidcGroups: tableOption<readonly string[]>({
    name: 'oidc-groups',
    type: 'A,B',
    defaultText: 'everybody',
    defaultValue: [],
    sentence: 'The groups of the provider whose members may sign in.',
    commands,
    value: groupNames,
  }),
  oidcAdminGroups: tableOption<readonly string[]>({
    name: 'oidc-admin-groups',
    type: 'A,B',
    defaultText: 'rights stay as they are',
    defaultValue: [],
    sentence:
      'The groups whose members are administrators, at each sign-in; nobody else who signs in with the provider is.',
    commands,
    value: groupNames,
  }),
  oidcGroupsClaim: tableOption({
    name: 'oidc-groups-claim',
    type: 'NAME|/POINTER',
    defaultText: 'groups',
    defaultValue: 'groups',
    sentence: 'The claim that holds the groups, or a JSON Pointer to them, such as /realm_access/roles.',
    commands,
    value: groupsClaim,
  }),
}

/** A warning if a provider makes an account for anyone who has one there; undefined otherwise. */
export function opensToAll(providers: readonly Provider[]): string | undefined {
  const open = providers.find(({ signUp, groups }) => signUp && groups.length === 0)
  return open && `oidc-sign-up without oidc-groups: whoever has an account at ${open.issuer} gets one here`
}

type ProviderTable = Readonly<Record<string, unknown>>

/** `[[oidc]]` of the configuration file, which alone can name several providers. */
export const providerTables: Option<readonly ProviderTable[]> = {
  name: 'oidc',
  type: '',
  defaultText: '',
  defaultValue: [],
  sentence: '',
  isSecret: () => true,
  value: checked(
    Type.Array(Type.Record(Type.String(), Type.Unknown())),
    (t) => t.values.providerTables,
    (text) => JSON.parse(text),
  ),
}

/** Throws a `config` failure for a provider that is not described in full, or twice. */
export function readProviders({ get }: OptionReader): readonly Provider[] {
  const tables = get(providerTables)
  const isFlat = Object.values(providerOptions).some((option) =>
    isSet(get<unknown>(option), option.defaultValue),
  )
  if (tables.length === 0) return isFlat ? [flatProvider({ get })] : []
  if (isFlat)
    throw wrong(
      'oidc-… and [[oidc]] of the configuration file are both set: write all providers into the file',
    )
  const providers = tables.map(providerIn)
  const twice = (name: 'id' | 'issuer') => new Set(providers.map((one) => one[name])).size < providers.length
  if (twice('id')) throw wrong('two of [[oidc]] have the same id')
  if (twice('issuer')) throw wrong('two of [[oidc]] have the same issuer')
  return providers
}

const isSet = (value: unknown, usual: unknown) => JSON.stringify(value) !== JSON.stringify(usual)

const wrong = (text: string) => new Failure('config', text)

function flatProvider({ get }: OptionReader): Provider {
  const [issuer, clientId] = [get(providerOptions.oidcIssuer), get(providerOptions.oidcClientId)]
  if (issuer === undefined)
    throw wrong('oidc-issuer is missing: the other oidc-… settings say nothing without it')
  if (clientId === undefined)
    throw wrong('oidc-client-id is missing: the provider does not know this instance without it')
  return {
    ...{ id: 'oidc', issuer, clientId },
    clientSecret: get(providerOptions.oidcClientSecret),
    name: get(providerOptions.oidcName) ?? new URL(issuer).host,
    scopes: get(providerOptions.oidcScopes),
    signUp: get(providerOptions.oidcSignUp),
    linkByEmail: get(providerOptions.oidcLinkByEmail),
    groups: get(providerOptions.oidcGroups),
    adminGroups: get(providerOptions.oidcAdminGroups),
    groupsClaim: get(providerOptions.oidcGroupsClaim),
  }
}

/** A setting of a table, named as in messages about it; its text is undefined if the table does not have it. */
export interface TableSetting {
  readonly name: string
  readonly text: string | undefined
  readonly defaultText: string
  readonly isSecret: boolean
}

/** Every setting of every table in what was given for `providerTables`; nothing if that is not valid. */
export function settingsOfTables(given: string): readonly TableSetting[] {
  const id = { key: 'id', defaultText: '', isSecret: false }
  const others = Object.values(providerOptions).map((option: Option<unknown>) => ({
    ...{ key: keyOf(option), defaultText: option.defaultText, isSecret: option.isSecret?.('') === true },
  }))
  return (readIfValid(providerTables.value, given) ?? []).flatMap((table, index) =>
    [id, ...others].map(({ key, ...option }) => {
      const text = key in table ? textOf(table[key]) : undefined
      return { ...option, name: `${placeOf(index)}: ${key}`, text }
    }),
  )
}

const placeOf = (index: number) => `[[oidc]] ${index + 1}`

const keyOf = ({ name }: Option<unknown>) => name.slice('oidc-'.length)

/** Lists as the command line has them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function providerIn(table: ProviderTable, index: number): Provider {
  const place = placeOf(index)
  const known = ['id', ...Object.values(providerOptions).map(keyOf)]
  for (const key of Object.keys(table))
    if (!known.includes(key)) throw wrong(`${place}: unknown key ${key}${didYouMean(key, known)}`)
  const id = providerId.take(table.id)
  if (id instanceof InvalidValue) throw wrong(`${place}: id ${inEnglish(id.rule)}`)
  const get = <T>(option: Option<T>): T => {
    const key = keyOf(option)
    const value = key in table ? option.value.take(table[key]) : option.defaultValue
    if (value instanceof InvalidValue) throw wrong(`${place}: ${key} ${inEnglish(value.rule)}`)
    return value
  }
  for (const key of ['issuer', 'client-id']) if (!(key in table)) throw wrong(`${place}: ${key} is missing`)
  return { ...flatProvider({ get }), id }
}
