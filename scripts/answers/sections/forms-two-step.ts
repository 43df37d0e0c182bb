import { Browser, textAt } from '../browser'
import type { Recorder } from '../recorder'
import { password } from '../seed'
import { codeOf } from '../totp'

export async function twoStep(recorder: Recorder): Promise<void> {
  const { clock } = recorder.instance
  const yui = new Browser(recorder, 'yui')
  await yui.signIn('yui')
  await yui.submit('/settings/two_step', {}, '/settings/two_step/start')
  const key = textAt((await yui.open('/settings/two_step/set_up')).text, 'totp_key')
  recorder.masks.learn(key, '<key>')
  recorder.masks.learn(key.replaceAll(' ', ''), '<key>')
  await yui.submit('/settings/two_step/set_up', { code: 'abc' })
  // Codes depend on the random key, so they are masked.
  const send = async (target: string, more: Readonly<Record<string, string>> = {}) => {
    clock.advance(90)
    // Opening the page and sending its form take a second each.
    const code = codeOf(key, clock.now + 2000)
    recorder.masks.learn(`"${code}"`, '"<code>"')
    return await yui.submit(target, { code, ...more })
  }
  await send('/settings/two_step/set_up')
  await yui.open('/settings/two_step')
  await yui.submit('/settings/two_step/codes', { password: 'wrong' })
  const { text } = await yui.submit('/settings/two_step/codes', { password })
  const recovery = /<li><code>([^<]+)<\/code>/.exec(text)?.[1] ?? ''
  for (const code of ['000', recovery, recovery]) {
    const other = new Browser(recorder, 'yui elsewhere')
    await other.signIn('yui')
    await other.submit('/sign_in/code', { code })
  }
  await yui.submit('/settings', {}, '/sign_out')
  await yui.signIn('yui')
  await send('/sign_in/code')
  clock.advance(7200)
  await yui.open('/settings/email')
  await send('/confirm/code?return_to=%2Fsettings%2Femail', { password: 'wrong' })
  await send('/confirm/code?return_to=%2Fsettings%2Femail', { password })
  await yui.submit('/settings/two_step/off', { code: '000000', end_sessions: '1' })
  await send('/settings/two_step/off', { end_sessions: '1' })
  await yui.open('/settings/two_step')
}
