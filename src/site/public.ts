import { errorsPath } from '../http/errors'
import { aboutPage } from '../pages/about'
import { aboutDataPage } from '../pages/about-data'
import { errorsPage } from '../pages/errors'
import { keysPage } from '../pages/keys'
import { anyone } from '../web/access'
import { definePage } from '../web/page'

export const about = definePage({
  path: '/about',
  access: anyone,
  show: ({ pageContext }) => aboutPage(pageContext),
})

/** Includes the attribution that the data's licences require. */
export const aboutData = definePage({
  path: '/about/data',
  access: anyone,
  show: ({ pageContext }) => aboutDataPage(pageContext),
})

export const errors = definePage({
  path: errorsPath,
  access: anyone,
  show: ({ pageContext }) => errorsPage(pageContext),
})

export const keys = definePage({
  path: '/keys',
  access: anyone,
  show: ({ pageContext }) => keysPage(pageContext),
})
