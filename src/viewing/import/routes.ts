import { below } from '../../web/back'
import type { PageRoute } from '../../web/page'
import { importActs } from './acts'
import { choosePage } from './choose-page'
import { importPage } from './import-page'
import { importer, type ListsOf } from './import-visit'
import { restRoute } from './rest'
import { uploadRoute } from './upload'

/** Moving in from other services (imports.md §1). */
export function importRoutes(listsOf: ListsOf): readonly PageRoute[] {
  const access = importer(listsOf)
  return [
    ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [
      choosePage(access),
      uploadRoute(access),
    ]),
    ...below({ path: '/settings/import', name: (t) => t.listImports.title, place: 'me' }, [
      importPage(access),
      ...importActs(access),
    ]),
    restRoute(access),
  ]
}
