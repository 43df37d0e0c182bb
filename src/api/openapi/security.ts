import type { Config } from '../../config'

/** The ways to send a token (D30), and the OAuth flows. */
export const tokenSchemes = ({ queryTokens }: Pick<Config, 'queryTokens'>, flows: object) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, in the Authorization header',
  },
  ...(queryTokens && {
    access_token: {
      type: 'apiKey',
      in: 'query',
      name: 'access_token',
      description:
        'An access token in the query, instead of the header; in a body it has the same name. ' +
        'Never send both, so generated clients and the documentation page send only the header',
    },
  }),
  oauth2: { type: 'oauth2', description: 'An access token issued to an application', flows },
})

/** Without `access_token`: generated clients send a token in every way that an operation lists, which D30 refuses. */
export const tokenSecurity = (scopes: readonly string[]) => [{ bearer: scopes }, { oauth2: scopes }]

export const anySecurity = ({ queryTokens }: Pick<Config, 'queryTokens'>) => [
  { bearer: [] },
  ...(queryTokens ? [{ access_token: [] }] : []),
]
