#!/bin/sh -e
# What the image `full` must do without a network: each site tool looks at the folder /site. Arguments
# go to all of them. Runs inside the image, in place of its command.
python=/opt/mergegate/bin/python
"$python" -I -m http.server --bind 127.0.0.1 --directory /site 8080 2>/dev/null &
until "$python" -Ic 'import socket; socket.create_connection(("127.0.0.1", 8080))' 2>/dev/null; do
    kill -0 $! # a server that is gone will not answer
    sleep 0.2
done
mergegate audit 127.0.0.1:8080 "$@"
mergegate browser-test 127.0.0.1:8080 "$@"
mergegate security-scan 127.0.0.1:8080 --render-js "$@"
mergegate seo 127.0.0.1:8080 --render-js "$@"
