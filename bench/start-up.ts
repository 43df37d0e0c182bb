import { join } from 'node:path'
import { contentsOf, executable, makeToken } from './instance'
import { startMeasured } from './measured'
import { median } from './median'

/** Times in milliseconds, memory in MB. */
export interface StartUp {
  /** From an empty data directory to the first answer, with the default catalogue loaded. */
  readonly first: number
  readonly works: number
  readonly again: number
  readonly firstRss: number
  readonly againRss: number
}

export async function measureStartUp(scratch: string, times: number): Promise<StartUp> {
  const data = join(scratch, 'start-up')
  const first = await start(data)
  const token = await makeToken(data)
  const again: StartResult[] = []
  for (let time = 0; time < times; time++) again.push(await start(data, token))
  return {
    first: first.ms,
    firstRss: first.rss,
    works: contentsOf(data).works,
    again: median(again.map(({ ms }) => ms)),
    againRss: median(again.map(({ rss }) => rss)),
  }
}

interface StartResult {
  readonly ms: number
  /** After a second without requests. */
  readonly rss: number
}

async function start(data: string, token?: string): Promise<StartResult> {
  const started = performance.now()
  await using server = await startMeasured(
    [executable, 'serve', '--data', data, '--port', '0'],
    `${data}.log`,
  )
  const target = token === undefined ? '/livez' : `/v1/works?access_token=${token}`
  const { status } = await fetch(`http://127.0.0.1:${server.port}${target}`)
  const ms = performance.now() - started
  if (status !== 200) throw new Error(`the first answer was ${status}`)
  await Bun.sleep(1000)
  return { ms, rss: server.rss() }
}
