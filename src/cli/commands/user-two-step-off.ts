import { tellOwner } from '../../accounts/account/tell-owner'
import { findUser } from '../../accounts/account/user'
import { removeSecondFactor } from '../../accounts/sign-in/second-factor'
import { settings } from '../../config'
import type { Store } from '../../db/open'
import { Failure } from '../../lib/failure'
import type { Facts } from '../../log/levels'
import { twoStepOffLetter } from '../../mail/letters'
import { openMail } from '../../mail/open-mail'
import { preferredLanguage } from '../../messages/languages'
import { baseUrlOf } from '../base-url'
import type { CliCall, Command } from '../command'
import { withStore } from '../open'

export const userTwoStepOff: Command = {
  name: 'user two-step-off',
  summary: 'Turns two-step verification off for a user who lost both phone and recovery codes.',
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: ['kiroku user two-step-off mio'],
  run: async (call) => {
    const [username = ''] = call.operands
    const mail = mailSettings(call)
    await withStore(call, async ({ read, write }) => {
      const userId = await findUser(read, username)
      const wasOn = await write((tx) => removeSecondFactor(tx, userId))
      if (!wasOn) throw new Failure('data', `two-step verification is not on for ${username}`)
      await call.print(`turned two-step verification off for ${username}`)
      await call.note(await sendLetter(read, mail, { userId, username }))
    })
  },
}

type MailSettings = ReturnType<typeof mailSettings>

/** Read before anything changes, since a missing base URL throws. */
function mailSettings(call: CliCall) {
  const smtpUrl = call.get(settings.smtpUrl)
  if (smtpUrl === undefined) return undefined
  return { smtpUrl, mailFrom: call.get(settings.mailFrom), baseUrl: baseUrlOf(call) }
}

async function sendLetter(
  read: Store['read'],
  config: MailSettings,
  { userId, username }: { userId: number; username: string },
): Promise<string> {
  if (config === undefined) return `no letter was sent to ${username}: no mail server is set (--smtp-url)`
  let sent: Facts | undefined
  const mail = openMail(config, (_, facts) => {
    sent = facts
  })
  tellOwner({ read, mail, config }, userId, { letter: twoStepOffLetter, language: preferredLanguage(null) })
  await mail?.finish()
  if (sent === undefined) return `no letter was sent to ${username}: the e-mail address is not confirmed`
  if (sent.outcome === 'sent') return `a letter tells ${username}`
  return `the letter to ${username} could not be sent: ${sent.why}`
}
