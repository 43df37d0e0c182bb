import type { Config } from '../config'

/** The ways a token is sent (D30) and, with the flows that OAuth has, come by; by their names in the document. */
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
        'An access token, in the query; in a body it goes by this name too. Never in two places at once',
    },
  }),
  oauth2: { type: 'oauth2', description: 'An access token that an application was given', flows },
})
