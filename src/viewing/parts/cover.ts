import type { PageContext } from '../../pages/layout'

export { coverMarkup as cover } from '../../covers/cover-url'

export const workPath = ({ basePath }: PageContext, workId: number): string => `${basePath}/works/${workId}`
