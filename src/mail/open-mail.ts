import type { Config } from '../config'
import type { Log } from '../log'
import { createMail, type Mail } from './mail'
import { smtpDelivery } from './smtp'

/** Undefined without a mail server. */
export function openMail(
  { smtpUrl, mailFrom, baseUrl }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>,
  log: Log,
): Mail | undefined {
  if (smtpUrl === undefined) return undefined
  const from = mailFrom ?? `kiroku@${new URL(baseUrl).hostname}`
  return createMail(smtpDelivery({ smtpUrl, from }), log)
}
