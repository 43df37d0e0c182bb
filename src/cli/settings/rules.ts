import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { SettingName, Settings } from '../../config'
import { addressOf, isLoopback } from '../../lib/network'

interface Rule {
  /** The settings that must be valid on their own first. */
  readonly of: readonly SettingName[]
  /** Whether it keeps the server from starting; if not, it is a warning. */
  readonly isProblem: boolean
  find(settings: Settings): string | undefined
}

export const rules: readonly Rule[] = [
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
