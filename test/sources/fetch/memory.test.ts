import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createWebSite } from '../../support/web-site'

const MiB = 1024 * 1024

/** A sixteenth of it is noise, so that the ratio stays below the limit. */
const piece = Buffer.concat([crypto.getRandomValues(Buffer.alloc(MiB / 16)), Buffer.alloc((MiB * 15) / 16)])
const packed = gzipSync(piece)

async function* repeated(count: number, bytes: Uint8Array) {
  for (let n = 0; n < count; n++) yield bytes
}

/** The output of a process that fetches an answer of that many MiB into a file, and its peak memory in MiB. */
async function fetched(size: number, isPacked: boolean) {
  const headers = { 'content-type': 'text/xml', ...(isPacked && { 'content-encoding': 'gzip' }) }
  const site = createWebSite(() => new Response(repeated(size, isPacked ? packed : piece), { headers }))
  const script = join(import.meta.dir, '../../support/fetch-to-file.ts')
  const child = Bun.spawn([process.execPath, script, site.at('127.0.0.1')], { env: process.env })
  const [said] = await Promise.all([child.stdout.json(), child.exited])
  await site.stop()
  return { ...said, peak: (child.resourceUsage()?.maxRSS ?? 0) / MiB }
}

test.each([
  ['as it is', false],
  ['compressed', true],
])('an answer of 200 MB, %s, goes to a file without being held in memory', async (_, isPacked) => {
  const [small, large] = [await fetched(1, isPacked), await fetched(200, isPacked)]
  expect(large).toMatchObject({ bytes: 200 * MiB, size: 200 * MiB })
  expect(large.peak - small.peak).toBeLessThan(60)
})
