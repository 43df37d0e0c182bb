/** The path an instance lives under (D54), without a slash at the end: '' at the root of its host. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
