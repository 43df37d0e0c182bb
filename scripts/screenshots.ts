import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'bun'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'

/** `bun run screenshots`: makes the README's, in docs/screenshots, with the executable and its own catalogue. */

const executable = 'dist/kiroku'
const folder = 'docs/screenshots'
const password = 'correct horse battery'

const phone = { viewport: { width: 360, height: 720 }, deviceScaleFactor: 2 }
const desk = { viewport: { width: 1280, height: 760 } }

const shots: readonly { name: string; path: string; look: BrowserContextOptions }[] = [
  { name: 'track-desk-light', path: '/', look: { ...desk, colorScheme: 'light', locale: 'en' } },
  { name: 'track-phone-dark', path: '/', look: { ...phone, colorScheme: 'dark', locale: 'ja' } },
  { name: 'work-phone-light', path: '/works/10079', look: { ...phone, colorScheme: 'light', locale: 'ja' } },
  {
    name: 'seasons-desk-dark',
    path: '/seasons/2026-spring',
    look: { ...desk, colorScheme: 'dark', locale: 'en' },
  },
]

/** What has been watched in them; the place in the list decides how far. */
const watched = [
  '葬送のフリーレン 第2期',
  'とんがり帽子のアトリエ',
  'Re:ゼロから始める異世界生活 4th season',
  '黄泉のツガイ',
  'ようこそ実力至上主義の教室へ 4th Season',
  '転生したらスライムだった件 第4期',
  '氷の城壁',
  '淡島百景',
  '名探偵コナン',
  '違国日記',
]

async function main(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'kiroku-screenshots-'))
  await $`${executable} catalogue load --data ${data}`.quiet()
  await $`echo ${password} | ${executable} user create mio --email mio@example.com --password-stdin --data ${data}`.quiet()
  const token = (
    await $`${executable} token create mio --description shots --scope ${'read write'} --data ${data}`.text()
  ).trim()
  const server = Bun.spawn([executable, 'serve', '--port', '0', '--data', data], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const address = await addressOf(server.stdout)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  })
  try {
    await watchSome(address, token)
    for (const shot of shots) await take(browser, address, shot)
  } finally {
    await browser.close()
    server.kill()
    await server.exited
    rmSync(data, { recursive: true })
  }
}

async function addressOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stdout) {
    const [, address] = /listening on (\S+)/.exec(new TextDecoder().decode(chunk)) ?? []
    if (address !== undefined) return address
  }
  throw new Error('the server did not start')
}

async function watchSome(address: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const ask = async (path: string): Promise<{ works: Id[]; episodes: Id[] }> =>
    (await (await fetch(address + path, { headers })).json()) as never
  const send = (path: string, body: Record<string, string>) =>
    fetch(address + path, { method: 'POST', headers, body: new URLSearchParams(body) })
  for (const [index, title] of watched.entries()) {
    const { works } = await ask(`/v1/works?filter_query=${encodeURIComponent(title)}&per_page=1&fields=id`)
    const work = String(works[0]?.id)
    const { episodes } = await ask(`/v1/episodes?filter_work_id=${work}&sort_sort_number=asc&per_page=50`)
    const seen = episodes.slice(0, Math.floor((episodes.length * ((index % 5) + 2)) / 8)).map(({ id }) => id)
    await send('/v1/me/statuses', { work_id: work, kind: 'watching' })
    await send('/v1/me/records/bulk', { episode_ids: seen.join(',') })
  }
}

interface Id {
  readonly id: number
}

async function take(
  browser: Browser,
  address: string,
  { name, path, look }: (typeof shots)[number],
): Promise<void> {
  const context = await browser.newContext({ ...look, timezoneId: 'Asia/Tokyo' })
  const page = await context.newPage()
  await page.goto(`${address}/sign_in`)
  await page.fill('[name="username"]', 'mio')
  await page.fill('[name="password"]', password)
  await page.click('main form button')
  await page.goto(address + path)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `${folder}/${name}.png` })
  await context.close()
  console.log(`${folder}/${name}.png`)
}

await main()
