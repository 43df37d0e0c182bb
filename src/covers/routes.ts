import type { Route } from '../http/route'
import { madeCoverRoute } from './made-cover-route'

/** Pictures themselves: without session. */
export const pictureRoutes: readonly Route[] = [madeCoverRoute]
