import { errorsPath } from '../http/errors'
import { aboutDataPage, aboutPage } from '../pages/about-data'
import { errorsPage } from '../pages/errors'
import { keysPage } from '../pages/keys'
import { anyone, definePage, type PageRoute } from '../web/page'
import { contacts } from './catalogue/contacts'
import { declaredSources } from './catalogue/source-text'

export const publicPages: readonly PageRoute[] = [
  definePage({ path: '/about', access: anyone, show: aboutPage }),
  definePage({
    path: '/about/data',
    access: anyone,
    // Includes the attribution that the data's licences require.
    show: async (visit) => aboutDataPage(visit, contacts(visit, await declaredSources(), visit.deps.config)),
  }),
  definePage({ path: errorsPath, access: anyone, show: errorsPage }),
  definePage({ path: '/keys', access: anyone, show: keysPage }),
]
