import { below } from '../../web/back'
import type { PageRoute } from '../../web/page'
import { importActs } from './acts'
import { annictRoute, annictWayBack } from './annict-account'
import { choosePage } from './choose-page'
import { columnsAction, columnsPage, forgetColumns } from './columns-page'
import { importPage } from './import-page'
import { restRoute } from './rest'
import { uploadRoute } from './upload'

export const importRoutes: readonly PageRoute[] = [
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [
    choosePage,
    uploadRoute,
    annictRoute,
    annictWayBack,
  ]),
  ...below({ path: '/settings/import', name: (t) => t.listImports.title, place: 'me' }, [
    importPage,
    columnsPage,
    columnsAction,
    forgetColumns,
    ...importActs,
  ]),
  restRoute,
]
