import type { PageRoute } from '../web/page'
import { front } from './front/page'
import { workPage, workPageBySlug } from './work/page'

export const viewingRoutes: readonly PageRoute[] = [front, workPage, workPageBySlug]
