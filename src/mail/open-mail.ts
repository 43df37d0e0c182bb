import type { Config } from '../config'
import { isLoopback } from '../lib/network'
import type { Log } from '../log'
import { createMail, type Deliver, type Mail } from './mail'

/** Undefined without a mail server. */
export function openMail(
  { smtpUrl, mailFrom, baseUrl }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>,
  log: Log,
): Mail | undefined {
  if (smtpUrl === undefined) return undefined
  const from = mailFrom ?? `kiroku@${new URL(baseUrl).hostname}`
  return createMail(smtpDelivery({ smtpUrl, from }), log)
}

/** Requires TLS if there is a password, unless the server is on loopback: STARTTLS could be stripped on the way. */
export function smtpDelivery({ smtpUrl, from }: { smtpUrl: string; from: string }): Deliver {
  const url = new URL(smtpUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const options = {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    requireTLS: user !== '' && !isLoopback(host),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return async ({ to, subject, text, headers }) => {
    // Loaded for the first letter: most runs send none.
    const { createTransport } = await import('nodemailer')
    await createTransport(options).sendMail({
      from: { name: 'kiroku', address: from },
      to: { name: '', address: to },
      subject,
      text,
      headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    })
  }
}
