-- Whether answers of the authorization endpoint name the issuer (D111).

alter table applications add column sends_iss integer not null default 0 check (sends_iss in (0, 1));
