import type { PageRoute } from '../web/page'
import { actRoutes } from './acts/acts'
import { recordRoutes } from './acts/record'
import { episodePage } from './episode/page'
import { front } from './front/page'
import { recordSheet } from './sheet/page'
import { workPage, workPageBySlug } from './work/page'

export const viewingRoutes: readonly PageRoute[] = [
  front,
  recordSheet,
  workPage,
  episodePage,
  workPageBySlug,
  ...recordRoutes,
  ...actRoutes,
]
