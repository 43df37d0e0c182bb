import type { PageRoute } from '../web/page'
import { actRoutes } from './acts/acts'
import { recordRoutes } from './acts/record'
import { likeRoute } from './episode/like'
import { episodePage } from './episode/page'
import { front } from './front/page'
import { recordEdit } from './own/edit-record'
import { viewingEdit } from './own/edit-viewing'
import { searchPage } from './search/page'
import { recordSheet } from './sheet/page'
import { workPage, workPageBySlug } from './work/page'

export const viewingRoutes: readonly PageRoute[] = [
  front,
  recordSheet,
  searchPage,
  workPage,
  episodePage,
  likeRoute,
  ...recordEdit,
  ...viewingEdit,
  workPageBySlug,
  ...recordRoutes,
  ...actRoutes,
]
