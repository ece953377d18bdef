import json


def create(request):
    # ruleid: python-mass-assignment
    Account.objects.create(**json.loads(request.body))
    # ok: python-mass-assignment
    Account.objects.create(name=request.POST["name"])
    return HttpResponse(status=201)


def search(request):
    # ruleid: python-mass-assignment
    found = Account.objects.filter(**request.GET.dict())
    form = AccountForm(request.GET)
    # ok: python-mass-assignment
    mine = Account.objects.filter(owner=request.user, **LIMITS)
    return render(request, "found.html", {"found": found, "mine": mine, "form": form})
