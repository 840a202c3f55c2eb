-- A vote is counted once for a served ad: earlier ones are looked for with every thumb.
create index ad_feedback_serve on ad_feedback (serve_id);
