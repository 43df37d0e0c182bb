import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { optionTable, type SettingName, type Settings, settings } from '../../config'
import { exitCodes, Failure } from '../../lib/failure'
import { mask } from '../../lib/masked'
import { addressOf, isLoopback } from '../../lib/network'
import { type Environment, type OptionText, unknownVariables } from '../../options/environment'
import type { Option, OptionReader } from '../../options/option'
import { opensToAll, providerTables, readProviders, settingsOfTables } from '../../options/providers'
import { type ConfigFile, noFile } from './file'
import { type Flags, finder, findFile, parse } from './given'

export interface SurveyedSetting {
  readonly name: string
  /** The text given; undefined for the default, `***` for a secret. */
  readonly text: string | undefined
  readonly defaultText: string
  /** A flag, a variable, `FILE: key`, or `default`. */
  readonly source: string
}

export interface Survey {
  readonly settings: readonly SurveyedSetting[]
  /** Each of these keeps the server from starting. */
  readonly problems: readonly string[]
  /** The server starts with these, but they may not be intended. */
  readonly warnings: readonly string[]
  /** 64 if only the command line is wrong, otherwise 78; 0 without problems. */
  readonly exitCode: number
}

/** Reads every setting as `createOptionReader` does, but continues after a problem. Never throws a `Failure`. */
export function surveySettings(flags: Flags, env: Environment): Survey {
  const failures = new Map<string, Failure>()
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof Failure)) throw cause
      failures.set(cause.message, cause)
      return undefined
    }
  }
  const before = finder(flags, env)
  const file = attempt(() => findFile(before)) ?? noFile
  const found = Object.entries(settings).map(([key, option]: [string, Option<unknown>]) => {
    // Null means not given, undefined unreadable.
    const text = attempt(() => before(option) ?? file.settings.get(option.name) ?? null)
    const value = text === null ? option.defaultValue : text && attempt(() => parse(option, text))
    return { key: key as SettingName, option, text, value, isWrong: text !== null && value === undefined }
  })
  const reader: OptionReader = {
    get: (option) => {
      const text = before(option) ?? file.settings.get(option.name)
      return text === undefined ? option.defaultValue : parse(option, text)
    },
  }
  const providers = attempt(() => readProviders(reader)) ?? []
  const read = Object.fromEntries(found.map(({ key, value }) => [key, value]))
  const values = { ...read, providers } as unknown as Settings
  const wrong = new Set(found.filter(({ isWrong }) => isWrong).map(({ key }) => key))
  const { problems, warnings } = consequences(values, wrong)
  return {
    settings: [...found.map(({ option, text }) => shown(option, text)), ...shownTables(file)],
    problems: [...failures.keys(), ...file.problems, ...problems],
    warnings: [...unknownVariables(env, optionTable).map((name) => `unknown variable ${name}`), ...warnings],
    exitCode: exitCodeOf([...failures.values()], file.problems.length + problems.length),
  }
}

/** Problems that involve several settings, as far as each is valid on its own. */
function consequences(values: Settings, wrong: ReadonlySet<SettingName>) {
  const broken = rules
    .filter(({ of }) => of.every((name) => !wrong.has(name)))
    .map(({ isProblem, find }) => ({ isProblem, text: find(values) }))
  const texts = (isProblem: boolean) =>
    broken.flatMap(({ text, ...rule }) => (text === undefined || rule.isProblem !== isProblem ? [] : [text]))
  return { problems: texts(true), warnings: texts(false) }
}

interface Rule {
  /** The settings that must be valid on their own first. */
  readonly of: readonly SettingName[]
  /** Whether it keeps the server from starting; if not, it is a warning. */
  readonly isProblem: boolean
  find(settings: Settings): string | undefined
}

const rules: readonly Rule[] = [
  { of: ['data'], isProblem: true, find: ({ data }) => directoryProblem(data) },
  {
    of: ['host', 'port', 'metrics'],
    isProblem: true,
    find: ({ host, port, metrics }) =>
      metrics?.port === port && port !== 0 && metrics.host === host
        ? `metrics and port are both ${host}:${port}: the metrics need an address of their own`
        : undefined,
  },
  {
    of: ['metrics'],
    isProblem: false,
    find: ({ metrics }) =>
      metrics === null || isLoopback(metrics.host)
        ? undefined
        : `metrics: whoever reaches ${metrics.host} can read them; there is no password`,
  },
  {
    of: ['baseUrl'],
    isProblem: false,
    find: ({ baseUrl }) =>
      baseUrl?.startsWith('http:') && !isLoopback(hostOf(baseUrl))
        ? 'base-url has no https: passwords and cookies cross the network unencrypted'
        : undefined,
  },
  {
    of: ['baseUrl', 'hsts'],
    isProblem: false,
    find: ({ baseUrl, hsts }) =>
      hsts === 'include-subdomains' && !baseUrl?.startsWith('https:')
        ? 'hsts is include-subdomains, which says nothing without a base-url of https'
        : undefined,
  },
  {
    of: ['baseUrl', 'trustedProxies'],
    isProblem: false,
    find: ({ baseUrl, trustedProxies }) =>
      baseUrl?.startsWith('https:') && trustedProxies.length === 0
        ? 'trusted-proxies is empty: the proxy that speaks https is taken for the one client, and limits count everybody together'
        : undefined,
  },
  {
    of: ['baseUrl', 'smtpUrl', 'mailFrom'],
    isProblem: false,
    find: ({ baseUrl, smtpUrl, mailFrom }) => {
      const host = baseUrl === undefined ? '127.0.0.1' : hostOf(baseUrl)
      return smtpUrl !== undefined && mailFrom === undefined && !isMailDomain(host)
        ? `mail-from is missing: mail servers refuse kiroku@${host}`
        : undefined
    },
  },
  {
    of: [],
    isProblem: false,
    find: ({ providers }) => opensToAll(providers),
  },
  {
    of: ['smtpUrl', 'mailFrom'],
    isProblem: false,
    find: ({ smtpUrl, mailFrom }) =>
      mailFrom !== undefined && smtpUrl === undefined
        ? 'mail-from says nothing without smtp-url: no mail is sent'
        : undefined,
  },
]

const isMailDomain = (host: string) =>
  host.includes('.') && !isLoopback(host) && addressOf(host) === undefined

const hostOf = (url: string) => new URL(url).hostname

/** Checks the directory, or the place where it would be created. */
function directoryProblem(data: string): string | undefined {
  try {
    const path = existing(resolve(data))
    if (!statSync(path).isDirectory()) return `data: ${path} is not a directory`
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (cause) {
    return `data: cannot use ${data}: ${cause instanceof Error ? cause.message : cause}`
  }
}

function existing(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false }) !== undefined
  return found || dirname(path) === path ? path : existing(dirname(path))
}

function exitCodeOf(failures: readonly Failure[], others: number): number {
  if (failures.length + others === 0) return 0
  const isUsage = others === 0 && failures.every(({ exitCode }) => exitCode === exitCodes.usage)
  return isUsage ? exitCodes.usage : exitCodes.config
}

const shown = (option: Option<unknown>, text: OptionText | null | undefined): SurveyedSetting => ({
  name: option.name,
  text: text ? maskedText(option, text) : undefined,
  defaultText: option.type === '' ? 'false' : option.defaultText,
  source: text?.source ?? 'default',
})

/** Of `[[oidc]]`, which only a file has. */
function shownTables({ settings: given }: ConfigFile): readonly SurveyedSetting[] {
  const tables = given.get(providerTables.name)
  if (tables === undefined) return []
  return settingsOfTables(tables.text).map(({ name, text, defaultText, isSecret }) => ({
    ...{ name, defaultText, text: text !== undefined && isSecret ? mask : text },
    source: text === undefined ? 'default' : tables.source,
  }))
}

const maskedText = (option: Option<unknown>, { text }: OptionText) => (option.isSecret?.(text) ? mask : text)
