import apiStyle from './assets/api.css' with { type: 'text' }
import apiScript from './assets/api.js' with { type: 'text' }
import avatar from './assets/avatar.svg' with { type: 'text' }
import background from './assets/background.svg' with { type: 'text' }
import icon from './assets/icon.svg' with { type: 'text' }
import style from './assets/style.css' with { type: 'text' }
import times from './assets/times.js' with { type: 'text' }

export const assets: Readonly<Record<string, () => Response>> = {
  '/assets/style.css': served(style, 'text/css; charset=utf-8'),
  '/assets/api.css': served(apiStyle, 'text/css; charset=utf-8'),
  '/assets/api.js': served(apiScript, 'text/javascript; charset=utf-8'),
  '/assets/times.js': served(times, 'text/javascript; charset=utf-8'),
  '/assets/icon.svg': served(icon, 'image/svg+xml'),
  '/assets/avatar.svg': served(avatar, 'image/svg+xml'),
  '/assets/background.svg': served(background, 'image/svg+xml'),
}

function served(text: string, contentType: string): () => Response {
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  }
  return () => new Response(text, { headers })
}
