import { below } from '../../web/back'
import type { PageRoute } from '../../web/page'
import { missingIds, twinWorks } from './gaps'
import { lookNow } from './look'
import { adminCatalogue } from './overview'
import { catalogueQuestion } from './question'
import { adminRun } from './run-page'
import { sourceForms } from './source-forms'
import { adminSource } from './source-page'

/** For administrators: what the catalogue holds, where it comes from, and whether sources may be contacted. */
export const catalogueRoutes: readonly PageRoute[] = [
  ...catalogueQuestion,
  adminCatalogue,
  ...below({ path: '/admin/catalogue', name: (t) => t.catalogue.title }, [
    adminSource,
    ...sourceForms,
    lookNow,
    adminRun,
    missingIds,
    twinWorks,
  ]),
]
