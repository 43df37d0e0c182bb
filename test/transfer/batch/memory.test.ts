import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCopy } from '../../support/database-copy'
import { wholeCatalogue } from './support'

const isBuilt = existsSync('dist/catalogue-default.jsonl.zst')
const folder = mkdtempSync(join(tmpdir(), 'kiroku-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MiB = 1024 * 1024

test.skipIf(!isBuilt)(
  'reading a list of 13,000 works takes less than 64 MiB more',
  async () => {
    const handle = await openCopy(folder, wholeCatalogue)
    handle.close()
    const script = join(import.meta.dir, 'memory-process.ts')
    const child = Bun.spawn([process.execPath, script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    const { rows, growth } = JSON.parse(await child.stdout.text())
    expect(rows).toBeGreaterThan(13_000)
    expect(growth).toBeLessThan(64 * MiB)
  },
  240_000,
)
