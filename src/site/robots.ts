import { jsonHeaders } from '../http/errors'
import type { Route } from '../http/route'
import { basePathOf } from '../lib/base-path'

/** What is for people only, or costs much and says nothing new, such as each month of a diary. Crawlers read it at the root of a host (RFC 9309). */
const closed = ['/admin', '/settings', '/oauth', '/search', '/sign_in', '/sign_up', '/v1', '/graphql', '/@*/']

/** Where password managers lead people who want a passkey here (W3C passkey endpoints). */
const passkeyEndpoints: Route = {
  method: 'GET',
  path: '/.well-known/passkey-endpoints',
  answer: ({ deps }) => {
    const page = `${deps.config.baseUrl}/settings/passkeys`
    return Response.json({ enroll: page, manage: page }, { headers: jsonHeaders })
  },
}

const robots: Route = {
  method: 'GET',
  path: '/robots.txt',
  answer: ({ deps }) => {
    const base = basePathOf(deps.config.baseUrl)
    const paths = deps.config.publicCatalogue ? closed.map((path) => base + path) : ['/']
    const lines = ['User-agent: *', ...paths.map((path) => `Disallow: ${path}`)]
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }
    return new Response(`${lines.join('\n')}\n`, { headers })
  },
}

/** What programs look for at the root of a host. */
export const atRoot: readonly Route[] = [robots, passkeyEndpoints]
