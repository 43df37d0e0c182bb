# What the gem annict sends with Faraday: the token in a header, a name of its own, queries, and bodies in JSON.
#
# Reads from standard input, one value a line: the instance's URL and a token. Prints what it made of the answers as JSON.

require "faraday"
require "faraday_middleware"
require "json"

url, token = 2.times.map { gets.chomp }
headers = { "Accept" => "application/json", "User-Agent" => "Annict Ruby Gem 0.1.0", Authorization: "Bearer #{token}" }
annict = Faraday.new(url: url, headers: headers) do |faraday|
  faraday.request :json
  faraday.response :json
  faraday.adapter Faraday.default_adapter
end

works = annict.get("/v1/works", filter_title: "庭", sort_watchers_count: "desc").body
activities = annict.get("/v1/activities", filter_username: "mio", per_page: 1, page: 1).body
made = annict.post("/v1/me/records", episode_id: works["works"][0]["id"], comment: "Ruby から", rating_state: "good")
status = annict.post("/v1/me/statuses", work_id: 2, kind: "wanna_watch")
puts JSON.generate(
  works: works["works"].map { |work| [work["id"], work["images"]["recommended_url"]] },
  activities: activities["activities"].map { |one| one["user"]["username"] },
  made: [made.status, made.body["comment"], made.body["rating_state"]],
  status: [status.status, status.body.to_s]
)
