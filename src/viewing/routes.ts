import type { PageRoute } from '../web/page'
import { front } from './front/page'

export const viewingRoutes: readonly PageRoute[] = [front]
