/** '' at the root of a host, else without a trailing slash (D54). */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
