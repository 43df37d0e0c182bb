import { readSettings, type Settings, settings } from '../../config'
import { Failure } from '../../lib/failure'
import { unknownPort } from '../base-url'
import type { Command } from '../command'
import { runningAddress } from '../server/address-file'
import { reachable, urlOf } from '../url'

export const healthcheck: Command = {
  name: 'healthcheck',
  summary: 'Checks whether the server responds; the exit code is 0 or 75.',
  operands: [],
  options: [],
  examples: ['kiroku healthcheck', 'kiroku healthcheck --port 8080'],
  run: async (call) => {
    const url = `${addressOf(readSettings(call))}/livez`
    const answer = await statusOf(url)
    if (answer !== 200) throw new Failure('busy', `${url}: ${answer}`)
    await call.print('alive')
  },
}

/** The server's address on this machine, bypassing any proxy in front: of the data directory, unless a port is given. */
function addressOf({ host, port, baseUrl, data }: Settings): string {
  const running = port === settings.port.defaultValue || port === 0 ? runningAddress(data)?.local : undefined
  if (running !== undefined) return running
  if (port !== 0) return urlOf(reachable(host), port)
  if (baseUrl !== undefined) return baseUrl
  throw unknownPort()
}

/** The status of a GET, or an error text. `fetch` would use the proxy in HTTP_PROXY. */
async function statusOf(url: string): Promise<number | string> {
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  return await new Promise((resolve) => {
    const request = get(url, { timeout: 5000, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 'no status')
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 5 seconds')))
    request.on('error', (cause) => resolve('code' in cause ? String(cause.code) : cause.message))
  })
}
