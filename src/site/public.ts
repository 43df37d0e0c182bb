import { errorsPath } from '../http/errors'
import { aboutDataPage, aboutPage } from '../pages/about-data'
import { errorsPage } from '../pages/errors'
import { keysPage } from '../pages/keys'
import { anyone, definePage } from '../web/page'
import { contacts } from './catalogue/contacts'
import { declaredSources } from './catalogue/source-text'

export const about = definePage({
  path: '/about',
  access: anyone,
  show: (visit) => aboutPage(visit),
})

/** Includes the attribution that the data's licences require. */
export const aboutData = definePage({
  path: '/about/data',
  access: anyone,
  show: async (visit) => aboutDataPage(visit, contacts(visit, await declaredSources(), visit.deps.config)),
})

export const errors = definePage({
  path: errorsPath,
  access: anyone,
  show: (visit) => errorsPage(visit),
})

export const keys = definePage({
  path: '/keys',
  access: anyone,
  show: (visit) => keysPage(visit),
})
