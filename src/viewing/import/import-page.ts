import type { PageContent } from '../../pages/layout'
import type { ListImport } from '../../transfer/batch/list-import'
import { definePage } from '../../web/page'
import { queryText } from '../../web/visit'
import { askedOf } from './asked'
import { findImport, type ImportVisit, importer } from './import-visit'
import { showPreview } from './preview'
import { showReport } from './report'
import { showRunning } from './running'

/** What an import will do, is doing or has done. */
export const importPage = definePage({
  path: '/settings/import/:id',
  access: importer,
  show: async (visit) => showImport(visit, await findImport(visit)),
})

async function showImport(visit: ImportVisit, one: ListImport): Promise<PageContent> {
  const asked = askedOf((name) => queryText(visit, name))
  switch (one.state) {
    case 'preview':
      return showPreview(visit, one, asked)
    case 'reading':
    case 'applying':
    case 'undoing':
      return showRunning(visit, one)
    default:
      return showReport(visit, one, asked)
  }
}
