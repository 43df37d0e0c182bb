/** The base URL has no port, so that no answer contains one. */
export const serverFlags = ['--base-url', 'http://localhost', '--no-catalogue', '--registration', 'open']
