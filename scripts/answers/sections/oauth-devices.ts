import { type Browser, formsOf } from '../browser'
import type { Recorder } from '../recorder'
import type { Client } from '../seed'
import { post } from './oauth-parts'

/** The device grant, denied and approved (RFC 8628). */
export async function devices(recorder: Recorder, mugi: Browser, client: Client): Promise<void> {
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: client.client_id }
  for (const values of [{}, { client_id: 'x' }, { client_id: client.client_id, scope: 'all' }])
    await post(recorder, '/oauth/device_authorization', values)
  for (const decision of ['deny', 'approve']) {
    const { text } = await post(recorder, '/oauth/device_authorization', {
      client_id: client.client_id,
      scope: 'read',
    })
    const device_code = /"device_code":"([^"]+)"/.exec(text)?.[1] ?? ''
    const user_code = /"user_code":"([^"]+)"/.exec(text)?.[1] ?? ''
    recorder.masks.learn(user_code, `<user code to ${decision}>`)
    for (let turn = 0; turn < 3; turn += 1) await post(recorder, '/oauth/token', { ...grant, device_code })
    await mugi.submit('/device', { user_code: 'BCDF-GHJK' })
    const page = await mugi.submit('/device', { user_code })
    const hidden = formsOf(page.text).find(({ action }) => action === '/device/decide')?.hidden ?? {}
    await mugi.post('/device/decide', { ...hidden, decision })
    for (let turn = 0; turn < 2; turn += 1) {
      recorder.instance.clock.advance(30)
      await post(recorder, '/oauth/token', { ...grant, device_code })
    }
    await mugi.open('/settings/applications')
  }
}
