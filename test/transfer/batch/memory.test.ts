import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { catalogueStore } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt } from '../../support/default-catalogue'
import { addUsers } from '../../support/planned-lists'

const MiB = 1024 * 1024

test.skipIf(!isBuilt)(
  'reading a list of 13,000 works takes less than 64 MiB more',
  async () => {
    const store = await catalogueStore(await defaultCatalogue())
    addUsers(store.handle, 1)
    const script = join(import.meta.dir, 'memory-process.ts')
    const child = Bun.spawn([process.execPath, script, store.directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: process.env,
    })
    const { rows, growth } = JSON.parse(await child.stdout.text())
    store.close()
    expect(rows).toBeGreaterThan(13_000)
    expect(growth).toBeLessThan(64 * MiB)
  },
  240_000,
)
