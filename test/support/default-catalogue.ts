import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportReport } from '../../src/catalogue/import/report'
import { databasePath } from '../../src/db/open'
import { catalogueStore, now } from './catalogue-store'
import { madeOnce } from './made-once'

/** The default catalogue, which a build leaves. */
export const packPath = join(import.meta.dir, '../../dist/catalogue-default.jsonl.zst')
export const isBuilt = existsSync(packPath)

/** A data directory with a database of the default catalogue alone, to be copied: it is loaded once in a run. */
export const defaultCatalogue = () => madeOnce('default-catalogue', load)

/** What its import said. */
export const defaultCatalogueReport = async (): Promise<ImportReport> =>
  JSON.parse(readFileSync(reportPath(await defaultCatalogue()), 'utf8'))

const reportPath = (directory: string) => join(directory, 'report.json')

async function load(directory: string): Promise<void> {
  const { loadDefaultCatalogue } = await import('../../src/catalogue/default-catalogue')
  const store = await catalogueStore()
  try {
    const report = await loadDefaultCatalogue(store, now)
    writeFileSync(reportPath(directory), JSON.stringify(report))
    writeFileSync(databasePath(directory), store.handle.serialize())
  } finally {
    store.close()
  }
}
