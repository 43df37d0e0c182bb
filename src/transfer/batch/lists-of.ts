import type { ImportDeps } from './list-import'
import type { Lists } from './lists'

/** The one `Lists` of an application. */
export declare function listsOf(deps: ImportDeps): Lists
