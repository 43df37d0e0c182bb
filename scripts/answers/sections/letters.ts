import { type Received, startSmtp } from '../../../test/support/smtp'
import { Browser, linkIn } from '../browser'
import type { Recorder } from '../recorder'
import { password } from '../seed'
import { serverFlags } from '../server-flags'

const fresh = 'a password of another kind'

export async function letters(recorder: Recorder): Promise<void> {
  recorder.begin('letters')
  using smtp = startSmtp()
  recorder.masks.learn(smtp.url, 'smtp://<sink>')
  await recorder.serve([...serverFlags, '--rate-limit', 'off', '--smtp-url', smtp.url])
  for (const language of ['en', 'ja']) await inLanguage(recorder, language, smtp.letters)
  await recorder.serve([...serverFlags, '--rate-limit', 'off'])
}

async function inLanguage(recorder: Recorder, language: string, arrived: Received[]): Promise<void> {
  const next = async (to: string) => {
    for (let turn = 0; arrived.length === 0 && turn < 250; turn += 1) await Bun.sleep(20)
    const letter = arrived.shift()
    recorder.note(`letter to ${to}, ${language}`, letter === undefined ? 404 : 200, textOf(letter))
    return linkIn(letter?.text ?? '')
  }
  const name = `writer_${language}`
  const writer = new Browser(recorder, name, language)
  const sign = { username: name, email: `${name}@example.com`, password }
  await writer.submit('/sign_up', { email: 'x' })
  await writer.submit('/sign_up', { email: sign.email })
  await writer.submit(await next('a newcomer'), { username: name, password })
  await writer.submit('/sign_up', { email: sign.email })
  await next('whoever has the address')
  await writer.signIn(name)
  await writer.submit('/settings/email', { email: `other_${name}@example.com` })
  await writer.submit(await next('the new address'))
  await next('the old address')
  await writer.submit('/settings/password', { current_password: password, password: fresh })
  await next('who changed the password')
  const forgetful = new Browser(recorder, `forgetful ${name}`, language)
  for (const typed of ['nobody_here', name]) await forgetful.submit('/reset_password', { name: typed })
  const link = await next('who forgot the password')
  await forgetful.submit(link, { password })
  await next('who has a new password')
  await forgetful.signIn(name)
  await forgetful.submit('/settings/delete_account', { what: 'everything', password })
  recorder.note(`letters left, ${language}`, arrived.length, arrived.splice(0).map(textOf).join('\n\n'))
}

/** Leaves out the message id and the encoding, which depends on the random link. */
const textOf = (letter: Received | undefined) =>
  letter === undefined ? '' : `${letter.head.replaceAll(volatileHeaders, '$1: <>')}\n\n${letter.text}`

const volatileHeaders = /^(Message-ID|Content-Transfer-Encoding): .*$/gim
