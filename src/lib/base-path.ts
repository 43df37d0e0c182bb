/** '' if the instance is at the root of a host, else the path without a trailing slash (D54). */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '')
