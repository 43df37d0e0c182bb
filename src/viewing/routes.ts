import type { PageRoute } from '../web/page'
import { actRoutes } from './acts/acts'
import { recordRoutes } from './acts/record'
import { front } from './front/page'
import { recordSheet } from './sheet/page'

export const viewingRoutes: readonly PageRoute[] = [front, recordSheet, ...recordRoutes, ...actRoutes]
